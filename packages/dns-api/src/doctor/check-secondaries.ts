import { listPeerStates } from '@zonewright/zones';
import type { Examination } from './examination.js';
import { finding } from './finding.js';
import type { PartResult } from './parts.js';

/** NOTIFY and its repetitions take half a minute. */
const PATIENCE_SECONDS = 60;

/** Whether the tenant's own secondaries have the domain as it is. */
export async function checkSecondaries({ db, zone }: Examination): Promise<PartResult> {
  const late = (await listPeerStates(db, zone.id)).filter(
    ({ lagSeconds }) => lagSeconds !== null && lagSeconds > PATIENCE_SECONDS,
  );
  const findings = late.map(({ name, serial, lagSeconds, notifyAnswer }) =>
    finding(
      'warning',
      'secondary-behind',
      `The secondary ${JSON.stringify(name)} has serial ${serial ?? 0}, for ${lagSeconds ?? 0} s not the latest one; its last answer to NOTIFY: ${notifyAnswer ?? 'it was sent none'}.`,
      'Look into its log: whether NOTIFY reaches it, and whether it can ask our nameservers over TCP with its key.',
    ),
  );
  return { findings, notChecked: [] };
}
