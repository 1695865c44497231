import { hash } from 'node:crypto';
import type { Clock } from '@zonewright/service-kit';
import type { RecordFilter, Zone } from '@zonewright/zones';
import { type Encoding, isWorthCompressing } from './compression.js';

/**
 * Maximum total size of all lists in bytes, enough for several hundred lists of 500 records. The least recently used
 * list is removed first.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * A zone never has a serial twice, unless a failover or a restored backup lost changes. Then a list is wrong for at
 * most this time.
 */
const LIFETIME_MS = 10_000;

/** A list in the form in which it was sent. */
export interface RenderedList {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Entry {
  readonly list: RenderedList;
  readonly goodUntil: number;
}

/**
 * Caches rendered lists of records. Every change of a zone or of its records changes the serial, so a list depends only on zone, serial and
 * query. The caller must have read the row of the zone for the same request: ownership and serial come from it.
 *
 *     List Records ──▶ zone's row (tenant, serial) ──▶ #entries ──▶ else rows, rendered, cached
 */
export class RenderedLists {
  readonly #clock: Clock;
  /** Entries, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string): RenderedList | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    const left = entry.goodUntil - this.#clock.now();
    // The value is negative if the clock was set back.
    if (left <= 0 || left > LIFETIME_MS) return undefined;
    this.#add(key, entry);
    return entry.list;
  }

  keep(key: string, list: RenderedList): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(key, known);
    this.#add(key, { list, goodUntil: this.#clock.now() + LIFETIME_MS });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= MAX_BYTES) break;
      this.#remove(oldest, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += sizeOf(key, entry);
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= sizeOf(key, entry);
  }
}

/** Whether records in a list have tenant_id and version. */
export type ListedForm = 'with tenant' | 'as by itself';

export interface ListQuery {
  readonly page: { readonly limit: number | undefined; readonly marker: string | undefined };
  readonly filter: RecordFilter;
  readonly form: ListedForm;
}

/** Returns a key that covers everything a list of records depends on. */
export function listKey(zone: Zone, { page, filter, form }: ListQuery): string {
  return JSON.stringify([
    zone.id,
    zone.tenantId,
    zone.serial,
    page.limit ?? null,
    page.marker ?? null,
    filter.name ?? null,
    filter.type ?? null,
    filter.types ?? null,
    filter.data ?? null,
    filter.tag ?? null,
    filter.hasFlags ?? false,
    form,
  ]);
}

/**
 * Returns the tag of a list: the serial of its zone, and a digest of everything else that it depends on. It is weak,
 * because it is the same for all encodings.
 */
export function listEtag({ serial }: Zone, key: string): string {
  return `W/"${serial}-${hash('sha256', key, 'hex').slice(0, 16)}"`;
}

function sizeOf(key: string, { list }: Entry): number {
  return key.length * 2 + list.body.length;
}

export function compressedKey(key: string, encoding: Encoding | undefined): string {
  return `${encoding ?? ''} ${key}`;
}

/**
 * Returns a cached list in the client's encoding. A cached list that was never compressed is read again, because its
 * compressed form would be cached for longer than allowed.
 */
export function findCompressed(
  lists: RenderedLists,
  key: string,
  encoding: Encoding | undefined,
): RenderedList | undefined {
  const compressed = encoding && lists.find(compressedKey(key, encoding));
  if (compressed !== undefined) return compressed;
  const list = lists.find(key);
  const isShort = list !== undefined && !isWorthCompressing(list.body.length);
  return encoding === undefined || isShort ? list : undefined;
}
