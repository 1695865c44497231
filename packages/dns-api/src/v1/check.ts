import { invalidRequest, isUuid, ServiceError } from '@zonewright/service-kit';
import { transferStateOf } from '@zonewright/zones';
import { adviseOnNew } from '../doctor/advise-on-new.js';
import { type ExaminationResult, PARTS } from '../doctor/finding.js';
import { checkMembers } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { readNewRecord } from './record-form.js';
import { renderTransferState } from './secondaries.js';

export const DOCTOR_OPERATIONS: readonly Operation[] = [
  {
    id: 'checkDomain',
    name: 'Check a Domain',
    method: 'GET',
    path: '/v1/domains/{domainId}/check',
    access: 'tenant',
    body: 'none',
    answers: 'Examination',
    faults: [429],
    handle: async ({ zones, doctor }, { caller, params, turn }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      // The check mostly waits for external servers.
      return jsonReply(renderExamination(await turn.aside(() => doctor.examine(zone))));
    },
  },
  {
    id: 'checkNewRecords',
    name: 'Check Records Before They Are Written',
    method: 'POST',
    path: '/v1/domains/{domainId}/check',
    access: 'tenant',
    body: 'json',
    onlyReads: true,
    reads: 'RecordsToCheck',
    answers: 'Findings',
    handle: async ({ db, zones }, { caller, params, body }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      const { records, without } = readRecordsToCheck(body, zone.name);
      return jsonReply({ findings: await adviseOnNew(db, zone, { records, without }) });
    },
  },
];

/** Maximum number of records in one request. An editor shows fewer. */
const MAX_RECORDS = 100;

/** @throws ServiceError `invalid` */
function readRecordsToCheck(body: unknown, zoneName: string) {
  const { values, problems } = checkMembers(body, ['records', 'without']);
  const { records, without = [] } = values;
  const isList = Array.isArray(records) && records.length > 0 && records.length <= MAX_RECORDS;
  const message = `records must be a list of 1 to ${MAX_RECORDS} records.`;
  const isIds = Array.isArray(without) && without.length <= MAX_RECORDS && without.every(isUuid);
  const idMessage = `without must be a list of at most ${MAX_RECORDS} record ids.`;
  const all = [
    ...problems,
    ...(isList ? [] : [{ path: 'records', validator: 'type', message }]),
    ...(isIds ? [] : [{ path: 'without', validator: 'type', message: idMessage }]),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    records: (records as unknown[]).flatMap((record) => readValid(record, zoneName)),
    without: new Set((without as string[]).map((id) => id.toLowerCase())),
  };
}

/** A record that cannot be written has no findings: the write says why. An editor asks while its user types. */
function readValid(record: unknown, zoneName: string) {
  try {
    return [readNewRecord(record, zoneName, 'all')];
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'invalid') return [];
    throw error;
  }
}

function renderExamination(result: ExaminationResult) {
  const { zone, checkedAt, findings, notChecked, nameservers, secondary } = result;
  return {
    id: zone.id,
    name: zone.displayName,
    serial: zone.serial,
    checked_at: checkedAt.toISOString().replace(/Z$/, '000'),
    state: stateOf(result),
    checked: PARTS.filter((part) => !notChecked.has(part)),
    not_checked: PARTS.filter((part) => notChecked.has(part)),
    findings,
    nameservers,
    primaries: renderTransferState(secondary && transferStateOf(secondary)),
  };
}

/** Returns `ok` only if something was checked. Otherwise the state is unknown. */
function stateOf({ findings: [worst], notChecked }: ExaminationResult): string {
  if (worst !== undefined && worst.severity !== 'info') return worst.severity;
  return notChecked.size > 0 ? 'unknown' : 'ok';
}
