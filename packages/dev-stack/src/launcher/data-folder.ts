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

/** The folder of `npm start`: database files, logs, secrets, the facts of the demo. */
export class DataFolder {
  readonly path: string;
  readonly #lock: LauncherLock;

  private constructor(path: string) {
    this.path = path;
    this.#lock = new LauncherLock(path);
  }

  /**
   * Opens the folder, making it if needed.
   *
   * @throws Error when another launcher is using it.
   */
  static open(path: string): DataFolder {
    const isNew = !existsSync(path);
    mkdirSync(path, { recursive: true });
    const folder = new DataFolder(path);
    if (isNew) {
      // Other users may traverse it (PostgreSQL's user, if root starts it), but not list it, whatever the umask.
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

  /** Log file of a program. It is created first, so that its owner is right regardless of who starts the program. */
  logFile(program: string): string {
    const file = this.file('logs', `${program}.log`);
    closeSync(openSync(file, 'a', 0o600));
    this.#giveTo(file);
    return file;
  }

  /** Folder of a nameserver's snapshot, made if needed and owned as `logFile` is. */
  snapshotFolder(nameserver: string): string {
    for (const path of [this.file('snapshots'), this.file('snapshots', nameserver)]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      this.#giveTo(path);
    }
    return this.file('snapshots', nameserver);
  }

  /** @throws Error when they are damaged, or gone while the database that was made with them is still there */
  readSecrets(): Secrets {
    const file = this.file('secrets.json');
    const found = readSecretsFile(file);
    if (found !== undefined) return this.#complete(found);
    if (this.#hasDatabase()) {
      throw new Error(
        `${file} is gone, but the database that was made with it is in ${this.file('postgres')}: bring the file back from a backup. To begin with an empty database, move ${this.path} away. Nothing was changed.`,
      );
    }
    const secrets = makeSecrets();
    this.writeSecrets(secrets);
    return secrets;
  }

  /** Adds the keys that an older folder lacks. */
  #complete(stored: StoredSecrets): Secrets {
    const made = makeSecrets();
    const secrets = { ...made, ...stored };
    if (Object.keys(made).some((name) => !(name in stored))) this.writeSecrets(secrets);
    return secrets;
  }

  writeSecrets(secrets: Secrets): void {
    this.writePrivate('secrets.json', `${JSON.stringify(secrets, undefined, 2)}\n`);
  }

  /** Writes a file that only its owner may read, whole or not at all, also when the machine loses its power. */
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

  /** Files that root creates in a user's folder belong to that user, who could not start the platform otherwise. */
  #giveTo(path: string, owner = this.path): void {
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(owner);
    if (uid !== 0) chownSync(path, uid, gid);
  }
}
