/** A map that forgets its oldest entry when it has too many. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxEntries: number;
  /** Goes on where it last stopped: from the beginning, each search would pass the holes that all forgotten entries left. */
  #oldest = this.keys();

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  /** What is set anew counts as new. */
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
