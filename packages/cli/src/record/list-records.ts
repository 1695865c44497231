import { readAll, type ZoneRecord } from '@zonewright/client';
import type { Session } from '../session/session.js';
import { compareRecords, toOwnerName } from './names.js';

/** Help text about names of records, for all commands. */
export const NAME = 'www, @ for the domain itself, or an absolute name';

interface Wanted {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
}

interface Zone {
  readonly id: string;
  readonly name: string;
}

/** Yields records in the order of the service. */
export function followRecords(
  { client, reading }: Session,
  zone: Zone,
  { name, type, tag }: Wanted,
): AsyncIterable<ZoneRecord> {
  const filter = {
    extended: true,
    ...(tag === undefined ? {} : { tag }),
    ...(name === undefined ? {} : { name: toOwnerName(name, zone.name) }),
    ...(type === undefined ? {} : { type: type.toUpperCase() }),
  };
  return client.records(zone.id).list(filter, reading);
}

export async function listRecords(
  session: Session,
  zone: Zone,
  wanted: Wanted,
): Promise<ZoneRecord[]> {
  return (await readAll(followRecords(session, zone, wanted))).sort(compareRecords);
}

/** Whether nameservers answer with the record. */
export function isServed({ disabled }: ZoneRecord): boolean {
  return disabled !== true;
}
