import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './foreign-programs.js';

/** Text of a zone signed by ldns-signzone with NSEC and one key, and that key as a trust anchor for delv. */
export class SignedText {
  readonly root: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewright-signed-'));
  readonly #key: string;

  constructor(zone: string) {
    this.root = zone;
    this.#key = this.#run('ldns-keygen', ['-a', 'ECDSAP256SHA256', '-k', zone]).trim();
    const record = readFileSync(join(this.#folder, `${this.#key}.key`), 'utf8');
    const [, numbers = '', key = ''] = /DNSKEY\s+(257 3 13) (\S+)/.exec(record) ?? [];
    writeFileSync(this.file, `trust-anchors { "${zone}" static-key ${numbers} "${key}"; };\n`);
  }

  /** File of trust anchors. */
  get file(): string {
    return join(this.#folder, 'anchors');
  }

  sign(text: string): string {
    writeFileSync(join(this.#folder, 'zone'), text);
    this.#run('ldns-signzone', ['-f', 'signed', 'zone', this.#key]);
    return readFileSync(join(this.#folder, 'signed'), 'utf8');
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[]): string {
    const script = `cd '${this.#folder}' && ${program} ${args.join(' ')}`;
    const { status, stdout, stderr } = run('sh', ['-e', '-c', script]);
    if (status !== 0) throw new Error(`${program}: ${stdout}${stderr}`);
    return stdout;
  }
}
