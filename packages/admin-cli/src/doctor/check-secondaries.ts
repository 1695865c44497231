import { findFailingSecondaries, findLaggingPeers, findRefusedPeers } from '@zonewright/zones';
import type { Database } from '@zonewright/database';
import type { Check } from './examination.js';
import { type Finding, ok, warning } from './finding.js';

const AREA = 'secondaries';
/** NOTIFY and its repetitions take half a minute, REFRESH of the SOA hours. */
const PATIENCE_SECONDS = 300;

/** Whether the tenants' own secondaries follow us, and we their primaries. */
export const checkSecondaries: Check = async ({ db }) => [
  ...(await checkPeers(db)),
  ...(await checkRefusals(db)),
  ...(await checkPrimaries(db)),
];

async function checkPeers(db: Database): Promise<Finding[]> {
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
}

/** Transfers that this service did not give, for a reason that the other side cannot see. */
async function checkRefusals(db: Database): Promise<Finding[]> {
  const { count, example } = await findRefusedPeers(db);
  if (count === 0) return [];
  return [
    warning(
      AREA,
      `${count} peer(s) do not get a domain because of this service, such as ${example ?? ''}.`,
      'Shorten or remove the record that it names, or change the key or the networks of the peer. The message goes with the next transfer.',
    ),
  ];
}

async function checkPrimaries(db: Database): Promise<Finding[]> {
  const { count, withheld, example } = await findFailingSecondaries(db);
  if (count === 0) return [ok(AREA, 'The primaries of secondary domains give them.')];
  return [
    warning(
      AREA,
      `The primaries of ${count} domain(s) have failed three times in a row, or more, such as ${example ?? ''}; ${withheld} of them are not answered.`,
      "If it is one, it is the tenant's matter; if it is many, look whether dns-api can reach other servers over TCP.",
    ),
  ];
}
