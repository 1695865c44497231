/** Map that removes its oldest entry when it is full. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number;
  /** Iterator that continues from the last removal. A new search would pass the holes of all removed entries. */
  #oldest = this.keys();

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  /** A value that is set again counts as new. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    while (this.size > this.#maxEntries) this.#forgetOldest();
    return this;
  }

  #forgetOldest(): void {
    let oldest = this.#oldest.next();
    if (oldest.done === true) {
      this.#oldest = this.keys();
      oldest = this.#oldest.next();
    }
    this.delete(oldest.value as K);
  }
}
