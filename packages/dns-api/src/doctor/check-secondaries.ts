import { isRefusal, listPeerStates, transferStateOf } from '@zonewright/zones';
import { type Examination, finding, type Finding, type PartResult } from './finding.js';

/** The time after which a secondary counts as late: NOTIFY and its repetitions take half a minute. */
const PATIENCE_SECONDS = 60;
/** The number of failures that are tolerated, because a nameserver may be restarting while others respond. */
const FEW_FAILURES = 2;

/** Checks that the tenant's own secondaries have the current version of the domain. */
export async function checkSecondaries(examination: Examination): Promise<PartResult> {
  const { db, zone } = examination;
  const states = await listPeerStates(db, zone.id);
  const late = states.filter(
    ({ lagSeconds, problem }) =>
      problem === null && lagSeconds !== null && lagSeconds > PATIENCE_SECONDS,
  );
  const findings = late.map(({ name, serial, lagSeconds, notifyAnswer }) =>
    finding(
      'warning',
      'secondary-behind',
      `The secondary ${JSON.stringify(name)} has serial ${serial ?? 0}, for ${lagSeconds ?? 0} s not the latest one; its last answer to NOTIFY: ${notifyAnswer ?? 'it was sent none'}.`,
      'Look into its log: whether NOTIFY reaches it, and whether it can ask our nameservers over TCP with its key.',
    ),
  );
  const refused = states.flatMap(({ name, problem }) =>
    problem === null
      ? []
      : [
          finding(
            'warning',
            'secondary-behind',
            `The secondary ${JSON.stringify(name)} does not get the domain from us: ${problem}.`,
            'If it is a record, shorten or remove it. If it is a key, look at the key and the networks of the peer.',
          ),
        ],
  );
  return {
    findings: [...findings, ...refused, ...checkPrimaries(examination)],
    notChecked: [],
  };
}

/** Checks the primaries of a secondary zone. */
function checkPrimaries({ secondary }: Examination): Finding[] {
  if (secondary === undefined) return [];
  const { reason, problem, action } = transferStateOf(secondary);
  const isRefused = isRefusal(reason);
  const isWithheld = secondary.state === 'withheld';
  if (secondary.failures < (isWithheld || isRefused ? 1 : FEW_FAILURES)) return [];
  const what = isRefused
    ? 'The version of the domain at its primaries is refused'
    : 'The primaries do not give the domain';
  return [
    finding(
      isWithheld ? 'error' : 'warning',
      isRefused ? 'primary-refused' : 'primary-fails',
      `${what}, ${whatIsAnswered(secondary)}: ${problem ?? 'they were not asked'}.`,
      action ?? 'Look into the log of the primary.',
    ),
  ];
}

/** Reports that the zone is stale, has expired, or was never transferred. */
export function whatIsAnswered(secondary: Parameters<typeof transferStateOf>[0]): string {
  const { content, refreshedAt } = transferStateOf(secondary);
  if (content === 'none') return 'and nothing of it has come yet: it is answered with SERVFAIL';
  const confirmed = refreshedAt ?? 'an earlier time';
  return content === 'expired'
    ? `and it has expired: it is answered with SERVFAIL; they last confirmed it at ${confirmed}`
    : `and it is answered as it was at ${confirmed}`;
}
