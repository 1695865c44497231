import { freePort, waitFor } from '@zonewright/testkit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignKey } from './compared-zones.js';
import { adaptNsd, type ForeignName, ForeignNameserver } from './foreign-nameserver.js';

/** External nameserver that is the primary of a zone. */
interface PrimaryKind {
  readonly name: ForeignName;
  readonly algorithm: string;
  /** Changes of the configuration that a test needs. */
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

  /** Writes the configuration of the recipe and the zone, and performs the other steps of the recipe. */
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

  /** Replaces the zone with another version. `reload` announces it. */
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

  /** Returns the serial that it answers with. Undefined if there is none. */
  serial(): Promise<number | undefined> {
    return this.serialOf(this.zone);
  }
}
