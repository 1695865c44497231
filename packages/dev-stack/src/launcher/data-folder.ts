import { generateKeyringText } from '@zonewright/database';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isProgram } from '../embedded/leftover.js';

/** What an installation made by `npm start` must remember; mode 600. */
export interface Secrets {
  /** Of the embedded PostgreSQL's superuser. */
  postgresPassword: string;
  encryptionKeys: string;
  administratorPassword?: string;
  serviceAccessKey?: string;
  serviceSecretKey?: string;
  demoPassword?: string;
  demoAccessKey?: string;
  demoSecretKey?: string;
}

/** The folder of `npm start`: database files, logs, secrets, the facts of the demo. */
export class DataFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Opens the folder, making it if needed.
   *
   * @throws Error when another launcher is using it.
   */
  static async open(path: string): Promise<DataFolder> {
    // Others may walk through (PostgreSQL's user, when root starts it), but not look around.
    mkdirSync(join(path, 'logs'), { recursive: true, mode: 0o711 });
    const folder = new DataFolder(path);
    await folder.#lock();
    return folder;
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  readSecrets(): Secrets {
    const file = this.file('secrets.json');
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
    const secrets = {
      postgresPassword: randomBytes(18).toString('base64url'),
      encryptionKeys: generateKeyringText('local-1'),
    };
    this.writeSecrets(secrets);
    return secrets;
  }

  writeSecrets(secrets: Secrets): void {
    this.writePrivate('secrets.json', `${JSON.stringify(secrets, undefined, 2)}\n`);
  }

  /** Writes a file that only its owner may read, whole or not at all. */
  writePrivate(name: string, content: string): void {
    const unfinished = this.file(`${name}.new`);
    writeFileSync(unfinished, content, { mode: 0o600 });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, this.file(name));
  }

  close(): void {
    rmSync(this.file('launcher.pid'), { force: true });
  }

  async #lock(): Promise<void> {
    const file = this.file('launcher.pid');
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
    if (pid > 1 && pid !== process.pid && (await isProgram(pid, 'start.mjs'))) {
      throw new Error(
        `Zonewright is already running on ${this.path} (process ${pid}). Stop it first, or set ZONEWRIGHT_DATA_DIR to another folder.`,
      );
    }
    writeFileSync(file, `${process.pid}\n`);
  }
}
