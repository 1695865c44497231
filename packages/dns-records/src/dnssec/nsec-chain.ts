import type { CanonicalKey } from './canonical.js';
import type { SignedRecord } from './signed-records.js';

/** Name of the chain with its stored records. */
export interface ChainName {
  readonly key: CanonicalKey;
  readonly records: readonly SignedRecord[];
}

/** Position of a name in the chain before a change. The name need not be in the chain. */
export interface ChainPosition {
  readonly key: CanonicalKey;
  /** Signed records of the name. Undefined if it is not in the chain. */
  readonly records: readonly SignedRecord[] | undefined;
  /** Preceding name in the chain. Undefined for the apex, and if there is no chain. */
  readonly before: ChainName | undefined;
  /** Key of the next name. Undefined for the last name. */
  readonly after: CanonicalKey | undefined;
}

const APEX: CanonicalKey = '';

/** Ring of owner names (RFC 4034 s4.1.1) after a change. Only the part around added and removed names is known. */
export class NsecChain {
  readonly #places: ReadonlyMap<CanonicalKey, ChainPosition & { readonly isThere: boolean }>;
  /** Added names, in order. */
  readonly #coming: readonly CanonicalKey[];
  /** Next names before the change, for names that are not in `#places`. */
  readonly #after = new Map<CanonicalKey, CanonicalKey | undefined>();
  readonly #untouched = new Map<CanonicalKey, ChainName>();

  constructor(places: readonly (ChainPosition & { readonly isThere: boolean })[]) {
    this.#places = new Map(places.map((place) => [place.key, place]));
    this.#coming = places
      .filter(({ isThere, records }) => isThere && records === undefined)
      .map(({ key }) => key)
      .sort();
    for (const { key, records, before, after } of places) {
      if (before === undefined || this.#places.has(before.key)) continue;
      this.#after.set(before.key, records === undefined ? after : key);
      this.#untouched.set(before.key, before);
    }
  }

  /** Returns the key of the next name after the change. The apex follows the last name. */
  next(key: CanonicalKey): CanonicalKey {
    let old = this.#oldAfter(key);
    while (old !== undefined && this.#isGone(old)) old = this.#oldAfter(old);
    const come = this.#coming[this.#countUpTo(key)];
    if (old === undefined) return come ?? APEX;
    return come !== undefined && come < old ? come : old;
  }

  /** Returns unchanged names that precede an added or removed name. */
  untouchedBeforeChanges(): ChainName[] {
    const found = new Map<CanonicalKey, ChainName>();
    for (const { key, records, isThere } of this.#places.values()) {
      if (isThere === (records !== undefined)) continue;
      const before = this.#before(key);
      if (before !== undefined) found.set(before.key, before);
    }
    return [...found.values()];
  }

  /** Returns the unchanged name before this one. Undefined if the name before it changes. */
  #before(key: CanonicalKey): ChainName | undefined {
    let old = this.#places.get(key)?.before;
    while (old !== undefined && this.#isGone(old.key)) old = this.#places.get(old.key)?.before;
    if (old === undefined) return undefined;
    const { key: oldKey } = old;
    const come = this.#coming[this.#countUpTo(key, true) - 1];
    return come !== undefined && come > oldKey ? undefined : this.#untouched.get(oldKey);
  }

  #oldAfter(key: CanonicalKey): CanonicalKey | undefined {
    const place = this.#places.get(key);
    return place === undefined ? this.#after.get(key) : place.after;
  }

  #isGone(key: CanonicalKey): boolean {
    return this.#places.get(key)?.isThere === false;
  }

  /** Counts the added names with keys up to this one, or below it. */
  #countUpTo(key: CanonicalKey, isBefore = false): number {
    let low = 0;
    let high = this.#coming.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const coming = this.#coming[middle] ?? APEX;
      if (isBefore ? coming < key : coming <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
