import { freePort, waitFor } from '@zonewright/testkit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignKey } from './compared-zones.js';
import { adaptNsd, type ForeignName, ForeignNameserver } from './foreign-nameserver.js';

/** Somebody else's nameserver that has a zone of ours. */
interface PrimaryKind {
  readonly name: ForeignName;
  readonly algorithm: string;
  /** What a test needs beside the recipe. */
  readonly adapt: (config: string) => string;
}

export const PRIMARY_KINDS: readonly PrimaryKind[] = [
  {
    name: 'bind',
    algorithm: 'hmac-sha256',
    adapt: (config) =>
      `controls { };\n${config.replace('recursion no;', 'recursion no; notify-delay 0; serial-query-rate 1000; pid-file none; lock-file none; session-keyfile none;')}`,
  },
  { name: 'knot', algorithm: 'hmac-sha512', adapt: (config) => config },
  { name: 'nsd', algorithm: 'hmac-sha1', adapt: adaptNsd },
  {
    name: 'powerdns',
    algorithm: 'hmac-sha256',
    adapt: (config) => `${config}socket-dir=/var/lib/powerdns\nsetuid=\nsetgid=\n`,
  },
];

const START_MS = 60_000;

export class PrimaryServer extends ForeignNameserver {
  readonly zone: string;
  readonly key: ForeignKey;
  readonly #kind: PrimaryKind;

  private constructor(kind: PrimaryKind, zone: string, key: ForeignKey, port: number) {
    super(kind.name, port);
    this.#kind = kind;
    this.zone = zone;
    this.key = key;
  }

  static async prepare(kind: PrimaryKind, zone: string, key: ForeignKey): Promise<PrimaryServer> {
    return new PrimaryServer(kind, zone, key, await freePort());
  }

  /** Writes the recipe's configuration and the zone, and does what else the recipe says. */
  serve(text: string, nameserverPort: number): void {
    const recipe = this.configure({
      page: 'primaries',
      values: {
        'example.com': this.zone.slice(0, -1),
        KEY_NAME: this.key.name,
        ALGORITHM: this.key.algorithm,
        SECRET: this.key.secret,
      },
      nameserverPort,
      adapt: this.#kind.adapt,
    });
    this.write(text);
    recipe.runCommands();
  }

  /** Puts another version in the place of the zone; `reload` says so. */
  write(text: string): void {
    writeFileSync(join(this.folder, this.zone.slice(0, -1)), text);
  }

  reload(): void {
    if (this.name === 'powerdns') {
      const zone = this.zone.slice(0, -1);
      this.run(`pdnsutil load-zone ${zone} ${join(this.folder, zone)}`);
    } else this.signal('SIGHUP');
  }

  async startServing(): Promise<void> {
    this.start();
    try {
      await waitFor(async () => (await this.serial()) !== undefined, START_MS);
    } catch (error) {
      throw new Error(`${this.name} does not answer:\n${this.output}`, { cause: error });
    }
  }

  /** The serial that it answers with; undefined: none. */
  serial(): Promise<number | undefined> {
    return this.serialOf(this.zone);
  }
}
