import { setTimeout as delay } from 'node:timers/promises';
import { checkDelegation } from './check-delegation.js';
import { checkGlue } from './check-glue.js';
import { checkNameservers } from './check-nameservers.js';
import { checkTargets } from './check-targets.js';
import { checkTtls } from './check-ttls.js';
import type { Examination, ExaminationResult } from './examination.js';
import { finding, type Finding, type Severity } from './finding.js';

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
  const inTime = <T>(what: string, check: Promise<T>, otherwise: (notDone: Finding) => T) =>
    Promise.race([check, late.then(() => otherwise(notDone(what)))]);
  try {
    const servers = checkNameservers(examination);
    const ttls = servers.then(({ negativeTtl }) => checkTtls(examination, negativeTtl));
    const [asked, ...others] = await Promise.all([
      inTime('the nameservers', servers, (each) => ({
        findings: [each],
        nameservers: [],
        negativeTtl: undefined,
      })),
      inTime('the delegation', checkDelegation(examination), (each) => [each]),
      inTime('glue', checkGlue(examination), (each) => [each]),
      inTime('targets', checkTargets(examination), (each) => [each]),
      inTime('TTLs', ttls, (each) => [each]),
    ]);
    return {
      zone: examination.zone,
      findings: [...asked.findings, ...others.flat()].sort(
        (one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity),
      ),
      nameservers: asked.nameservers,
    };
  } finally {
    deadline.abort();
  }
}

function notDone(what: string): Finding {
  const message = `The check of ${what} was not finished within ${DEADLINE_MS / 1_000} s.`;
  return finding('info', 'check-not-finished', message, 'Check again later.');
}
