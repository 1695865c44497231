import type { RecordContent, RecordOperation, ZoneRecord } from '@zonewright/client';
import { planSet } from '../record/plan-set.js';
import { type Endpoint, keyOf, ownerOf, readEndpoints, toRecords } from './endpoints.js';

/** Changes that external-dns asks for: endpoints to delete and endpoints to create. */
export interface Changes {
  readonly leaving: readonly Endpoint[];
  readonly coming: readonly Endpoint[];
}

/** Its lists had capital letters before version 0.19. @throws InputError */
export function readChanges(body: unknown): Changes {
  const lists = new Map(
    Object.entries(body ?? {}).map(([name, list]) => [name.toLowerCase(), list as unknown]),
  );
  const read = (name: string) => readEndpoints(lists.get(name.toLowerCase()), name);
  return {
    leaving: [...read('delete'), ...read('updateOld')],
    coming: [...read('create'), ...read('updateNew')],
  };
}

/** In this order no name has an alias beside something else on the way. */
const ORDER = ['delete', 'update', 'create'];

/** The operations that make a zone what is wanted; repeated, there are none. */
export function planChanges(
  present: readonly ZoneRecord[],
  { leaving, coming }: Changes,
): RecordOperation[] {
  const wanted = new Map<string, RecordContent[]>();
  for (const endpoint of [...leaving, ...coming]) {
    wanted.set(keyOf(ownerOf(endpoint), endpoint.recordType), []);
  }
  const recordsByKey = new Map([...wanted.keys()].map((key) => [key, [] as ZoneRecord[]]));
  for (const record of present) recordsByKey.get(keyOf(record.name, record.type))?.push(record);
  const gone = new Set(leaving.flatMap(toRecords).map(identify));
  for (const record of coming.flatMap(toRecords)) {
    wanted.get(keyOf(record.name, record.type))?.push(record);
  }
  const operations = [...wanted].flatMap(([key, records]) => {
    const there = recordsByKey.get(key) ?? [];
    const coming = new Set(records.map(identify));
    // Records that others have added at the name are kept.
    const kept = there.filter(
      (record) => !gone.has(identify(record)) && !coming.has(identify(record)),
    );
    return planSet(there, [...records, ...kept]);
  });
  return operations.toSorted((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action));
}

function identify({ name, type, data, priority }: RecordContent): string {
  return JSON.stringify([name, type, data, priority ?? null]);
}
