import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { LauncherLock } from './launcher-lock.js';
import { makeSecrets, readSecretsFile, type Secrets, type StoredSecrets } from './secrets.js';

/** Folder of `npm start` with database files, logs, secrets, and the data of the demo. */
export class DataFolder {
  readonly path: string;
  readonly #lock: LauncherLock;

  private constructor(path: string) {
    this.path = path;
    this.#lock = new LauncherLock(path);
  }

  /**
   * Opens the folder, and creates it if needed.
   *
   * @throws Error if another launcher uses it
   */
  static open(path: string): DataFolder {
    const isNew = !existsSync(path);
    mkdirSync(path, { recursive: true });
    const folder = new DataFolder(path);
    if (isNew) {
      // Other users, such as PostgreSQL's user if root starts it, may enter the folder but not list it, whatever the
      // umask is.
      chmodSync(path, 0o711);
      folder.#giveTo(path, dirname(path));
    }
    folder.#lock.take();
    folder.#giveTo(folder.#lock.file);
    mkdirSync(folder.file('logs'), { recursive: true, mode: 0o711 });
    folder.#giveTo(folder.file('logs'));
    return folder;
  }

  file(...names: string[]): string {
    return join(this.path, ...names);
  }

  /**
   * Returns the log file of a program. It is created first, so that its owner is correct whoever starts the program.
   */
  logFile(program: string): string {
    const file = this.file('logs', `${program}.log`);
    closeSync(openSync(file, 'a', 0o600));
    this.#giveTo(file);
    return file;
  }

  /** Returns the folder of a nameserver's snapshot. It is created if needed, with the same owner as log files. */
  snapshotFolder(nameserver: string): string {
    for (const path of [this.file('snapshots'), this.file('snapshots', nameserver)]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.#giveTo(path);
    }
    return this.file('snapshots', nameserver);
  }

  /** @throws Error if they are damaged, or missing although the database that was created with them exists */
  readSecrets(): Secrets {
    const file = this.file('secrets.json');
    const found = readSecretsFile(file);
    if (found !== undefined) return this.#complete(found);
    if (this.#hasDatabase()) {
      throw new Error(
        `${file} is missing, but the database that was created with it is in ${this.file('postgres')}: restore the file from a backup. To start with an empty database, move ${this.path} away. Nothing was changed.`,
      );
    }
    const secrets = makeSecrets();
    this.writeSecrets(secrets);
    return secrets;
  }

  /** Adds secrets that an older folder does not have. */
  #complete(stored: StoredSecrets): Secrets {
    const made = makeSecrets();
    const secrets = { ...made, ...stored };
    if (Object.keys(made).some((name) => !(name in stored))) this.writeSecrets(secrets);
    return secrets;
  }

  writeSecrets(secrets: Secrets): void {
    this.writePrivate('secrets.json', `${JSON.stringify(secrets, undefined, 2)}\n`);
  }

  /** Writes a file that only its owner can read. The write is atomic, even if the machine loses power. */
  writePrivate(name: string, content: string): void {
    const unfinished = this.file(`${name}.new`);
    const fd = openSync(unfinished, 'w', 0o600);
    try {
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    chmodSync(unfinished, 0o600);
    this.#giveTo(unfinished);
    renameSync(unfinished, this.file(name));
  }

  close(): void {
    this.#lock.release();
  }

  #hasDatabase(): boolean {
    try {
      return readdirSync(this.file('postgres')).length > 0;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  }

  /**
   * Changes the owner of files that root creates in a user's folder. Otherwise the user could not start the platform.
   */
  #giveTo(path: string, owner = this.path): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(owner);
    if (uid !== 0) chownSync(path, uid, gid);
  }
}
