import type { Clock } from '@zonewright/service-kit';
import type { RecordFilter, Zone } from '@zonewright/zones';

/** Together; some hundreds of lists of 500 records. What was not asked for the longest time goes first. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * A zone never has a serial twice, unless a failover or a restored backup lost the changes that led to it; then
 * a list is wrong for this long at most.
 */
const LIFETIME_MS = 10_000;

interface Entry {
  readonly body: Buffer;
  readonly goodUntil: number;
}

/**
 * Lists of records as they were sent. Every change of a zone or of its records gives the zone another serial, so
 * a list is the same as long as zone, serial and query are. Whoever asks must have read the zone from its row
 * for this very request: that is where ownership and serial come from.
 *
 *     List Records ──▶ zone's row (tenant, serial) ──▶ #entries ──▶ else rows, rendered, kept
 */
export class RenderedLists {
  readonly #clock: Clock;
  /** In the order of use. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string): Buffer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    const left = entry.goodUntil - this.#clock.now();
    // More than it was given: the clock was set back.
    if (left <= 0 || left > LIFETIME_MS) return undefined;
    this.#add(key, entry);
    return entry.body;
  }

  keep(key: string, body: Buffer): void {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(key, known);
    this.#add(key, { body, goodUntil: this.#clock.now() + LIFETIME_MS });
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

/** Do records in a list have tenant_id and version? */
export type ListedForm = 'with tenant' | 'as by itself';

/** What is asked of a zone's records. */
export interface ListQuery {
  readonly page: { readonly limit: number | undefined; readonly marker: string | undefined };
  readonly filter: RecordFilter;
  readonly form: ListedForm;
}

/** What a list of records depends on, and nothing else does. */
export function listKey(zone: Zone, { page, filter, form }: ListQuery): string {
  return JSON.stringify([
    zone.id,
    zone.tenantId,
    zone.serial,
    page.limit ?? null,
    page.marker ?? null,
    filter.name ?? null,
    filter.type ?? null,
    filter.data ?? null,
    form,
  ]);
}

function sizeOf(key: string, { body }: Entry): number {
  return key.length * 2 + body.length;
}
