import { setTimeout as delay } from 'node:timers/promises';
import { checkDelegation } from './check-delegation.js';
import { checkGlue } from './check-glue.js';
import { checkNameservers, type NameserversChecked } from './check-nameservers.js';
import { checkSecondaries } from './check-secondaries.js';
import { checkTargets } from './check-targets.js';
import { checkTtls } from './check-ttls.js';
import type { Examination, ExaminationResult } from './examination.js';
import { finding, type Severity } from './finding.js';
import { joinResults, type Part, type PartResult } from './parts.js';

/** However slow others are. */
const DEADLINE_MS = 5_000;
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** Looks for reasons why a domain does not work, all at once and for 5 s at most. */
export async function examineZone(
  examination: Examination,
): Promise<Omit<ExaminationResult, 'checkedAt'>> {
  const deadline = new AbortController();
  const late = delay(DEADLINE_MS, undefined, { signal: deadline.signal });
  late.catch(() => undefined);
  const inTime = <T>(check: Promise<T>, what: string, parts: readonly Part[]) =>
    Promise.race([check, late.then(() => notDone(what, parts))]);
  try {
    const servers = checkNameservers(examination);
    const ttls = servers.then(({ negativeTtl }) => checkTtls(examination, negativeTtl));
    const [asked, ...others] = await Promise.all([
      inTime<NameserversChecked | PartResult>(servers, 'the nameservers', ['nameservers']),
      inTime(checkDelegation(examination), 'the delegation', ['delegation']),
      inTime(checkGlue(examination), 'glue', ['glue', 'nameserver-addresses']),
      inTime(checkTargets(examination), 'targets', ['targets', 'targets-elsewhere']),
      inTime(ttls, 'TTLs', ['ttls']),
      inTime(checkSecondaries(examination), 'secondaries', []),
    ]);
    const { findings, notChecked } = joinResults([asked, ...others]);
    return {
      zone: examination.zone,
      findings: findings.toSorted(
        (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
      ),
      notChecked: new Set(notChecked),
      nameservers: 'nameservers' in asked ? asked.nameservers : [],
    };
  } finally {
    deadline.abort();
  }
}

function notDone(what: string, notChecked: readonly Part[]): PartResult {
  const message = `The check of ${what} was not finished within ${DEADLINE_MS / 1_000} s.`;
  const findings = [finding('info', 'check-not-finished', message, 'Check again later.')];
  return { findings, notChecked };
}
