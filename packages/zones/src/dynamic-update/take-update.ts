import type { Database } from '@zonewright/database';
import {
  isAtOrBelow,
  type Message,
  nameOfRecord,
  readUpdateInstruction,
} from '@zonewright/dns-records';
import { forEachInSlices, mapInSlices, ServiceError } from '@zonewright/service-kit';
import { creation, modification, type RecordChange } from '../write/changes/record-change.js';
import { isSameContent } from '../rows/record.js';
import type { LockedZone } from '../rows/zone.js';
import { readSignedRecords, type SignedRecords } from '../signing/read-signed-records.js';
import type { ZoneChange } from '../write/zone-change.js';
import { checkPrerequisites } from './check-prerequisites.js';
import { applyInstruction } from './take-steps.js';
import type { ZoneView } from '../write/read/zone-view.js';

/** Maximum number of steps in one transaction and one message. */
const MAX_STEPS = 1_000;

export type Update = Pick<Message, 'answers' | 'authorities'>;

/** Names of the zone that an update looks at. @throws ServiceError `invalid` for one that is too long */
function namesOfUpdate({ answers, authorities }: Update, zoneName: string): string[] {
  if (answers.length > MAX_STEPS || authorities.length > MAX_STEPS) {
    throw new ServiceError('invalid', `An update has at most ${MAX_STEPS} records in each part.`);
  }
  const names = new Set([...answers, ...authorities].map(nameOfRecord));
  return [...names].filter((name) => isAtOrBelow(name, zoneName));
}

/** Records of signing that the prerequisites of an update compare. */
async function readSigned(
  db: Database,
  zone: LockedZone,
  { answers }: Update,
): Promise<SignedRecords> {
  const names = new Set(answers.map(nameOfRecord));
  const inZone = [...names].filter((name) => isAtOrBelow(name, zone.name));
  return await readSignedRecords(db, zone, inZone);
}

/** An update as a change of its zone. */
export function changeOfUpdate(update: Update, zoneName: string): ZoneChange {
  return {
    names: namesIfUsual(update, zoneName),
    plan: async ({ readView, zone, work }) => {
      namesOfUpdate(update, zone.name);
      const signed = await readSigned(work.trx, zone, update);
      return await takeUpdate(await readView(), zone, update, signed);
    },
  };
}

/** One with too many is refused at its turn. */
function namesIfUsual(update: Update, zoneName: string): string[] {
  try {
    return namesOfUpdate(update, zoneName);
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

/**
 * Applies an update to the view, before our own rules (RFC 2136 s3). Prerequisites come first, then a check of all steps, then
 * the steps in order. The view then has the result of the update.
 *
 * @throws UpdateFault, ServiceError
 */
async function takeUpdate(
  view: ZoneView,
  zone: LockedZone,
  { answers, authorities }: Update,
  signed?: SignedRecords,
): Promise<readonly RecordChange[]> {
  const before = new Map(view.records);
  checkPrerequisites(view, answers, zone.name, signed);
  const steps = await mapInSlices(authorities, (record) =>
    readUpdateInstruction(record, zone.name),
  );
  await forEachInSlices(steps, (step) => {
    applyInstruction(view, zone, step);
  });
  return [...view.records].flatMap(([name, after]) => {
    const kept = new Set(after.map(({ row }) => row?.id));
    const gone = (before.get(name) ?? []).flatMap(({ row }) =>
      row === undefined || kept.has(row.id) ? [] : [{ before: row, after: undefined }],
    );
    const come = after.flatMap(({ row, content }) => {
      if (row === undefined) return [creation(zone, content)];
      return isSameContent(row, content) ? [] : [modification(zone, row, content)];
    });
    return [...gone, ...come];
  });
}
