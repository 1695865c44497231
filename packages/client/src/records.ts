import type { Answer } from './answer.js';
import type { Caller, CallOptions } from './caller.js';
import type { components } from './generated/dns.js';
import { followPages, PAGE_ROWS } from './pages.js';

type Schemas = components['schemas'];
/** Record in a list. Old clients get fewer members, unless the operator has configured otherwise. */
export type ZoneRecord = Schemas['ListedRecord'] &
  Required<Pick<Schemas['ListedRecord'], 'version' | 'tenant_id'>>;
export type RecordContent = Schemas['NewRecord'];
export type RecordOperation = Schemas['Batch']['operations'][number];

/** Maximum number of operations in a batch. */
const MOST_OPERATIONS = 10_000;
const MOST_CHARACTERS = 2_000_000;

/** Splits operations into the fewest possible batches, usually one. */
export function inBatches(operations: readonly RecordOperation[]): readonly RecordOperation[][] {
  const batches: RecordOperation[][] = [];
  let characters = 0;
  for (const operation of operations) {
    const length = JSON.stringify(operation).length;
    const last = batches.at(-1);
    characters += length;
    if (last === undefined || last.length === MOST_OPERATIONS || characters > MOST_CHARACTERS) {
      batches.push([operation]);
      characters = length;
    } else last.push(operation);
  }
  return batches;
}

interface RecordFilter {
  readonly name?: string;
  readonly type?: string;
  readonly data?: string;
  /** Includes disabled records, and the flags of all records. */
  readonly extended?: boolean;
  readonly tag?: string;
}

/** Operations on the records of a domain, of all types. */
export class Records {
  readonly #caller: Caller;
  readonly #domainId: string;

  constructor(caller: Caller, domainId: string) {
    this.#caller = caller;
    this.#domainId = domainId;
  }

  list(
    filter: RecordFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<ZoneRecord, void, undefined> {
    const path = { domainId: this.#domainId };
    return followPages(async (marker) => {
      const query = {
        ...filter,
        all_types: true,
        limit: PAGE_ROWS,
        ...(marker === undefined ? {} : { marker }),
      };
      return (await this.#caller.call('listRecords', { path, query }, options)).value
        .records as ZoneRecord[];
    });
  }

  /** Makes several changes with one serial: either all or none. */
  change(
    operations: readonly RecordOperation[],
    options: CallOptions & { readonly confirm?: boolean } = {},
  ): Promise<Answer<Schemas['BatchResult']>> {
    const confirm = options.confirm === undefined ? {} : { confirm: options.confirm };
    const body = { operations: [...operations], ...confirm };
    return this.#caller.call(
      'changeRecords',
      { path: { domainId: this.#domainId }, query: { extended: true }, body },
      options,
    );
  }

  /** Adds a record. */
  async add(record: RecordContent, options?: CallOptions): Promise<Answer<ZoneRecord>> {
    const answer = await this.change([{ action: 'create', record }], options);
    return { ...answer, value: answer.value.results[0]?.record as ZoneRecord };
  }
}

type Found = components['schemas']['Found'];
export type FoundRecord = Found['records'][number];

/** Conditions of a search. */
export interface SearchRequest {
  /** Part of the name, data or description. With `extended`, also part of a tag. */
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  /** One of the record's tags. Needs `extended`. */
  readonly tag?: string | undefined;
  /** Includes disabled records, and tags and expiry of all records. */
  readonly extended?: boolean | undefined;
}

/** Yields records of all domains. Each page is fetched when it is needed. */
export async function* findRecords(
  caller: Caller,
  { text, type, tag, extended }: SearchRequest,
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
