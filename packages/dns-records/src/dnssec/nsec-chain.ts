import type { CanonicalKey } from './canonical.js';
import type { SignedRecord } from './signed-records.js';

/** A name of the chain and its stored records. */
export interface ChainName {
  readonly key: CanonicalKey;
  readonly records: readonly SignedRecord[];
}

/** A name's place in the chain before a change, whether it is in it or not. */
export interface ChainPosition {
  readonly key: CanonicalKey;
  /** Signed records of the name. Undefined if it is not in the chain. */
  readonly records: readonly SignedRecord[] | undefined;
  /** The preceding name of the chain; undefined for the apex, and if there is no chain. */
  readonly before: ChainName | undefined;
  /** Key of the next name; undefined for the last one. */
  readonly after: CanonicalKey | undefined;
}

const APEX: CanonicalKey = '';

/** The ring of owner names (RFC 4034 s4.1.1) after a change, as far as it lies around the names that come and go. */
export class NsecChain {
  readonly #places: ReadonlyMap<CanonicalKey, ChainPosition & { readonly isThere: boolean }>;
  /** Names that are added, in order. */
  readonly #coming: readonly CanonicalKey[];
  /** Old next names of names that are not in `#places`. */
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

  /** Returns the key of the next name after one that is in the chain now. The apex follows the last name. */
  next(key: CanonicalKey): CanonicalKey {
    let old = this.#oldAfter(key);
    while (old !== undefined && this.#isGone(old)) old = this.#oldAfter(old);
    const come = this.#coming[this.#countUpTo(key)];
    if (old === undefined) return come ?? APEX;
    return come !== undefined && come < old ? come : old;
  }

  /** Names that have not changed themselves, before those that come or go. */
  untouchedBeforeChanges(): ChainName[] {
    const found = new Map<CanonicalKey, ChainName>();
    for (const { key, records, isThere } of this.#places.values()) {
      if (isThere === (records !== undefined)) continue;
      const before = this.#before(key);
      if (before !== undefined) found.set(before.key, before);
    }
    return [...found.values()];
  }

  /** The untouched name before this one now; undefined: it is one that is touched. */
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

  /** How many come with keys up to this one, or before it. */
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
