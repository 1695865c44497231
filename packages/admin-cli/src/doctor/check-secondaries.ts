import { findLaggingPeers } from '@zonewright/zones';
import type { Check } from './examination.js';
import { ok, warning } from './finding.js';

const AREA = 'secondaries';
/** NOTIFY and its repetitions take half a minute, REFRESH of the SOA hours. */
const PATIENCE_SECONDS = 300;

/** Whether the tenants' own secondaries follow. */
export const checkSecondaries: Check = async ({ db }) => {
  const { count, example } = await findLaggingPeers(db, PATIENCE_SECONDS);
  if (count === 0)
    return [ok(AREA, 'Secondaries that have asked for domains have them as they are.')];
  return [
    warning(
      AREA,
      `${count} peer(s) have had an old version of a domain for more than ${PATIENCE_SECONDS} s, such as ${example ?? ''}.`,
      "If it is one, it is the tenant's matter; if it is many, look whether nameservers send NOTIFY (zonewright_notifies_total).",
    ),
  ];
};
