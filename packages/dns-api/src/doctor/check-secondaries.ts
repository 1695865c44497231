import { isRefusal, listPeerStates, transferStateOf } from '@zonewright/zones';
import { type Examination, finding, type Finding, type PartResult } from './finding.js';

/** The time after which a secondary counts as late: NOTIFY and its retries take half a minute. */
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
      `The secondary ${JSON.stringify(name)} has had the outdated serial ${serial ?? 0} for ${lagSeconds ?? 0} s; its last answer to NOTIFY: ${notifyAnswer ?? 'none was sent'}.`,
      'Check in its log whether NOTIFY reaches it, and whether it can query our nameservers over TCP with its key.',
    ),
  );
  const refused = states.flatMap(({ name, problem }) =>
    problem === null
      ? []
      : [
          finding(
            'warning',
            'secondary-behind',
            `The secondary ${JSON.stringify(name)} cannot get the domain from this service: ${problem}.`,
            'If a record is the reason, shorten or remove it. If a key is the reason, check the key and the networks of the peer.',
          ),
        ],
  );
  return {
    findings: [...findings, ...refused, ...checkPrimaries(examination)],
    notChecked: [],
  };
}

function checkPrimaries({ secondary }: Examination): Finding[] {
  if (secondary === undefined) return [];
  const { reason, problem, action } = transferStateOf(secondary);
  const isRefused = isRefusal(reason);
  const isWithheld = secondary.state === 'withheld';
  if (secondary.failures < (isWithheld || isRefused ? 1 : FEW_FAILURES)) return [];
  const what = isRefused
    ? 'This service refuses the version of the domain at its primaries'
    : 'The primaries do not provide the domain';
  return [
    finding(
      isWithheld ? 'error' : 'warning',
      isRefused ? 'primary-refused' : 'primary-fails',
      `${what}, ${whatIsAnswered(secondary)}: ${problem ?? 'they were not queried'}.`,
      action ?? 'Check the log of the primary.',
    ),
  ];
}

/** Reports that the zone is stale, has expired, or was never transferred. */
export function whatIsAnswered(secondary: Parameters<typeof transferStateOf>[0]): string {
  const { content, refreshedAt } = transferStateOf(secondary);
  if (content === 'none') return 'and no version was received yet, so queries for it get SERVFAIL';
  const confirmed = refreshedAt === null ? 'an earlier time' : toMinute(refreshedAt);
  return content === 'expired'
    ? `and it has expired, so queries for it get SERVFAIL; the primaries last confirmed it at ${confirmed}`
    : `and the version of ${confirmed} is published`;
}

/** Returns `2026-11-28 10:00 UTC`. */
function toMinute(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
