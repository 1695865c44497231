import { transferStateOf } from '@zonewright/zones';
import { type ExaminationResult, PARTS } from '../doctor/finding.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
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
];

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
