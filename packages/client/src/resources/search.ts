import type { CallOptions, Caller } from '../call/caller.js';
import type { components } from '../generated/dns.js';
import { PAGE_ROWS } from './pages.js';

type Found = components['schemas']['Found'];
export type FoundRecord = Found['records'][number];

/** Conditions of a search. */
export interface SearchWish {
  /** Part of its name, data or description, with `extended` of its tags. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  /** One of its tags; with it `extended`. */
  readonly tag?: string | undefined;
  /** Includes records that are switched off, and tags and expiry of all records. */
  readonly extended?: boolean | undefined;
}

/** Records of all domains, page by page as they are read. */
export async function* findRecords(
  caller: Caller,
  { text, type, tag, extended }: SearchWish,
  options: CallOptions,
): AsyncGenerator<FoundRecord, void, undefined> {
  for (let marker: string | undefined; ;) {
    const query = {
      limit: PAGE_ROWS,
      ...(text === undefined ? {} : { q: text }),
      ...(tag === undefined ? {} : { tag }),
      ...(extended === true ? { extended } : {}),
      ...(type === undefined ? {} : { type }),
      ...(marker === undefined ? {} : { marker }),
    };
    const { value, nextMarker } = await caller.call('search', { query }, options);
    yield* value.records;
    if (nextMarker === undefined) return;
    marker = nextMarker;
  }
}
