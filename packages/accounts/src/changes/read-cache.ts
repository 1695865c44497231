import { BoundedMap } from '@zonewright/service-kit';
import type { ChangeWatch } from './change-watch.js';

interface Entry<T> {
  readonly generation: number;
  readonly value: Promise<T>;
}

/**
 * Remembers what was read from PostgreSQL until anything is announced to have changed. Equal reads under way
 * are joined. A value that was being read while a change came in is not believed afterwards, since it carries the
 * generation in which its reading began.
 */
export class ReadCache<T> {
  readonly #entries: BoundedMap<string, Entry<T>>;
  readonly #watch: ChangeWatch;

  constructor(watch: ChangeWatch, maxEntries: number) {
    this.#watch = watch;
    this.#entries = new BoundedMap(maxEntries);
  }

  async get(key: string, read: () => Promise<T>): Promise<T> {
    if (!this.#watch.isListening) return await read();
    const generation = this.#watch.accountsGeneration;
    const known = this.#entries.get(key);
    if (known?.generation === generation) return await known.value;
    const entry = { generation, value: read() };
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return await entry.value;
  }
}
