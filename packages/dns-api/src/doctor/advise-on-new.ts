import type { Database } from '@zonewright/database';
import { type AdvisedRecord, adviseOn, unfinishedTarget } from '@zonewright/dns-records/advice';
import { listRecordsNamed, type RecordContent, type Reference, type Zone } from '@zonewright/zones';
import { checkReferences } from './check-targets.js';
import { toFinding } from './check-records.js';
import type { Finding } from './finding.js';

interface NewRecords {
  readonly records: readonly RecordContent[];
  /** Ids of the records that the new ones replace. */
  readonly without: ReadonlySet<string>;
}

/** Returns what a check of the domain would find about records that are not stored yet. */
export async function adviseOnNew(
  db: Database,
  zone: Pick<Zone, 'id' | 'name'>,
  { records, without }: NewRecords,
): Promise<readonly Finding[]> {
  const isNew = new Set(records.map(keyOf));
  const names = records.flatMap((record) => [
    record.name,
    unfinishedTarget(record, zone.name) ?? record.name,
  ]);
  const present = (await listRecordsNamed(db, zone.id, [...new Set(names)])).filter(
    (record) => !without.has(record.id) && !isNew.has(keyOf(record)),
  );
  const advice = adviseOn([...present, ...records].map(toAdvised), zone.name).filter(
    ({ about, fix }) => [about, ...(fix?.remove ?? [])].some((each) => isNew.has(keyOf(each))),
  );
  const named = new Set(records.map(({ name }) => name));
  const references = records.filter(isReference);
  const targets = await checkReferences({ db, resolver: undefined }, references);
  return [
    ...advice.map(toFinding),
    ...targets.findings.filter(
      ({ about }) => about?.target !== undefined && !named.has(about.target),
    ),
  ];
}

function toAdvised({ name, type, data, priority }: AdvisedRecord): AdvisedRecord {
  return { name, type, data, priority: priority ?? null };
}

function keyOf({ name, type, data }: AdvisedRecord): string {
  return JSON.stringify([name, type, data]);
}

function isReference(record: RecordContent): record is RecordContent & Reference {
  return ['CNAME', 'MX', 'NS', 'SRV'].includes(record.type);
}
