import type { Database, JournalEntry } from '@zonewright/database';
import { nextSerial } from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import type { Zone } from '../rows/zone.js';
import { findHighestSerial, insertZone } from '../rows/zone-store.js';
import { type JournalAuthor, writeStep } from '../journal/journal-store.js';
import { toZoneImage } from '../journal/zone-image.js';
import { insertRecords } from '../rows/record-store.js';
import { toJournalEntry } from '../changes/write-changes.js';
import { claimDomain } from './claim-domain.js';
import { type MovedDomain, toTimestamp } from './read-domain.js';

/**
 * Takes over a domain with its records and its id, unless it is there already.
 *
 * @returns whether it is new
 * @throws ServiceError conflict
 */
export async function importDomain(
  trx: Database,
  domain: MovedDomain,
  { author, clock }: { readonly author: JournalAuthor; readonly clock: Clock },
): Promise<boolean> {
  if (!(await claimDomain(trx, domain))) return false;
  const { name, email, ttl, description, records } = domain;
  const serial = chooseSerial(domain.serial, await findHighestSerial(trx, name), clock);
  const zone = await insertZone(
    trx,
    { tenantId: domain.tenant, name, email, ttl, description, serial },
    {
      id: domain.id,
      recordCount: records.length,
      version: domain.version ?? 1,
      createdAt: toTimestamp(domain.createdAt) ?? null,
      updatedAt: toTimestamp(domain.updatedAt) ?? null,
    },
  );
  await insertRecords(trx, records);
  const step = { zoneId: zone.id, serialBefore: undefined, serialAfter: serial, ...author };
  await writeStep(trx, step, toEntries(zone, domain));
  return true;
}

/** Resolvers and secondaries may remember a zone of that name that was deleted here. */
function chooseSerial(wanted: number | undefined, highest: number | undefined, clock: Clock) {
  const now = clock.now() / 1000;
  const serial = wanted ?? nextSerial(0, now);
  return highest === undefined || serial > highest ? serial : nextSerial(highest, now);
}

/** One at a time: together they are several times as large as the domain. */
function* toEntries(zone: Zone, { records }: MovedDomain): Generator<JournalEntry> {
  yield { action: 'domain-create', after: toZoneImage(zone) };
  for (const after of records) yield toJournalEntry({ before: undefined, after });
}
