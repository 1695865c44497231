import { findSecondary, listPeerStates, type Secondary } from '@zonewright/zones';
import { type Examination, finding, type PartResult } from './finding.js';

/** NOTIFY and its repetitions take half a minute. */
const PATIENCE_SECONDS = 60;
/** A nameserver that is down may be restarting while others answer. */
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
  const ofPrimaries = await checkPrimaries(examination);
  return { findings: [...findings, ...refused, ...ofPrimaries], notChecked: [] };
}

/** Checks the primaries of a secondary zone. */
async function checkPrimaries({ db, zone }: Examination) {
  const secondary = await findSecondary(db, zone.id);
  if (secondary === undefined) return [];
  const { state, problem, failures } = secondary;
  if (failures < (state === 'withheld' ? 1 : FEW_FAILURES)) return [];
  return [
    finding(
      state === 'withheld' ? 'error' : 'warning',
      'primary-fails',
      `The primaries do not give the domain, ${whatIsAnswered(secondary)}: ${problem ?? 'they were not asked'}.`,
      'If it names records, change them at the primary. If not, look into its log: whether it allows transfers over TCP to this service, with the key that was set here.',
    ),
  ];
}

/** Reports that the zone is stale, has expired, or was never transferred. */
export function whatIsAnswered({
  state,
  transferredAt,
  refreshedAt,
}: Pick<Secondary, 'state' | 'transferredAt' | 'refreshedAt'>): string {
  if (state === 'answered')
    return `and it is answered as it was at ${refreshedAt ?? 'an earlier time'}`;
  if (transferredAt === null) return 'and nothing of it has come yet: it is answered with SERVFAIL';
  return `and it has expired: it is answered with SERVFAIL; they last confirmed it at ${refreshedAt ?? transferredAt}`;
}
