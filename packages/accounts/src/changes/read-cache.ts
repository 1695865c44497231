import type { ChangeWatch } from './change-watch.js';

interface Entry<T> {
  readonly generation: number;
  readonly value: Promise<T>;
  /** The same, once it is there. */
  known: T | undefined;
}

/**
 * Remembers what was read from PostgreSQL until anything is announced to have changed. Equal reads under way
 * are joined. A value that was being read while a change came in is not believed afterwards, since it carries the
 * generation in which its reading began.
 */
export class ReadCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #watch: ChangeWatch;
  readonly #maxEntries: number;

  constructor(watch: ChangeWatch, maxEntries: number) {
    this.#watch = watch;
    this.#maxEntries = maxEntries;
  }

  /** The value, if it is here and may be believed. */
  getKnown(key: string): T | undefined {
    if (!this.#watch.isListening) return undefined;
    const entry = this.#entries.get(key);
    return entry?.generation === this.#watch.accountsGeneration ? entry.known : undefined;
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    if (!this.#watch.isListening) return await read();
    const generation = this.#watch.accountsGeneration;
    const known = this.#entries.get(key);
    if (known?.generation === generation) return await known.value;
    const entry: Entry<T> = { generation, value: read(), known: undefined };
    this.#remember(key, entry);
    return (entry.known = await entry.value);
  }

  #remember(key: string, entry: Entry<T>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
  }
}
