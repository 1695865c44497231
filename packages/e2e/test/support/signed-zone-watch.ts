import { setTimeout as delay } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { run } from './foreign-programs.js';
import type { PeerBody } from './secondaries.js';

const PAUSE_MS = 50;
/** Verifiers. Others that are on the path are also used. */
const VERIFIERS: readonly [string, (zone: string, file: string) => string[]][] = [
  ['dnssec-verify', (zone, file) => ['-q', '-z', '-o', zone, file]],
  ['ldns-verify-zone', (_, file) => ['-V1', file]],
];

interface Watched {
  readonly port: number;
  readonly zone: string;
  readonly peer: PeerBody;
  /** Path to which the zone is written. */
  readonly file: string;
}

/** Transfers a zone repeatedly, as a secondary does, and verifies each signed version with external programs. */
export class SignedZoneWatch {
  readonly #watched: Watched;
  readonly #verifiers = VERIFIERS.filter(([program]) => run(program, ['-h']).status !== null);
  readonly #watching: Promise<void>;
  #isOver = false;
  #last = '';
  /** Number of verified versions. */
  verified = 0;
  /** Number of versions without keys and signatures. */
  unsigned = 0;
  /** Errors in any version. */
  readonly faults: string[] = [];

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#watching;
  }

  /** Returns the whole zone without the second SOA. Undefined if the transfer fails or is incomplete. */
  take(): string | undefined {
    const { port, zone, peer } = this.#watched;
    const key = `${peer.key.algorithm}:${peer.key.name}:${peer.key.secret}`;
    const options = ['+noall', '+answer', '+time=2', '+tries=1', '-y', key];
    const { stdout } = run('dig', ['@127.0.0.1', '-p', String(port), ...options, zone, 'AXFR']);
    const lines = stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(';') && !line.includes('TSIG'));
    const [first] = lines;
    const isWhole = lines.length > 2 && first?.includes('SOA') === true && lines.at(-1) === first;
    return isWhole ? `${lines.slice(0, -1).join('\n')}\n` : undefined;
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const text = this.take();
      if (text !== undefined && text !== this.#last) this.#look(text);
      await delay(PAUSE_MS);
    }
  }

  #look(text: string): void {
    this.#last = text;
    const { zone, file } = this.#watched;
    if (!/\s(?:DNSKEY|RRSIG|NSEC)\s/.test(text)) {
      this.unsigned += 1;
      return;
    }
    writeFileSync(file, text);
    for (const [program, args] of this.#verifiers) {
      const { status, stdout, stderr } = run(program, args(zone, file));
      if (status !== 0) this.faults.push(`${program}: ${stdout}${stderr}\n${text}`);
    }
    this.verified += 1;
  }
}
