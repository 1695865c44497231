import type { CallOptions, Caller } from '../call/caller.js';
import type { components } from '../generated/dns.js';
import { PAGE_ROWS } from './pages.js';

type Found = components['schemas']['Found'];
export type FoundRecord = Found['records'][number];

/** Records of all domains whose name, data or description has a text in it, page by page as they are read. */
export async function* findRecords(
  caller: Caller,
  { text, type }: { readonly text: string; readonly type?: string | undefined },
  options: CallOptions,
): AsyncGenerator<FoundRecord, void, undefined> {
  for (let marker: string | undefined; ;) {
    const query = {
      q: text,
      limit: PAGE_ROWS,
      ...(type === undefined ? {} : { type }),
      ...(marker === undefined ? {} : { marker }),
    };
    const { value, nextMarker } = await caller.call('search', { query }, options);
    yield* value.records;
    if (nextMarker === undefined) return;
    marker = nextMarker;
  }
}
