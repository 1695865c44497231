import { findBrokenZones, findSigningTrouble, type SigningTrouble } from '@zonewright/zones';
import type { Check } from './finding.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'signing';
const DAY_MS = 86_400_000;
/** Signatures are normally renewed 14 days before they expire. */
const WARNING_DAYS = 10;
const ERROR_DAYS = 5;

/** Checks that the signer renews signed zones. */
export const checkSigning: Check = async ({ db, clock }) => {
  const trouble = await findSigningTrouble(db, new Date(clock.now()));
  if (trouble === undefined) return [ok(AREA, 'No domain is signed.')];
  const findings = [
    ...checkEnd(trouble, clock.now()),
    ...checkWaiting(trouble),
    ...checkBroken(await findBrokenZones(db)),
  ];
  if (findings.length > 0) return findings;
  return [ok(AREA, `${trouble.zones} domain(s) are signed, and signer goes on with them.`)];
};

function checkEnd({ firstEnd }: SigningTrouble, now: number): Finding[] {
  if (firstEnd === undefined) return [];
  const daysLeft = (firstEnd.at.getTime() - now) / DAY_MS;
  if (daysLeft >= WARNING_DAYS) return [];
  const level = daysLeft < ERROR_DAYS ? error : warning;
  return [
    level(
      AREA,
      `Signatures of ${firstEnd.name} may end on ${firstEnd.at.toISOString()}; who validates finds it bogus then.`,
      'Look why signer does not renew them: its /readyz, its log.',
    ),
  ];
}

/** Reports the faults that the signer's audit has found. */
function checkBroken({ count, example }: Awaited<ReturnType<typeof findBrokenZones>>): Finding[] {
  if (count === 0) return [];
  return [
    error(
      AREA,
      `${count} signed domain(s) are not as they should be, such as ${example ?? ''}.`,
      'Somebody wrote to the database past the services, or a service has a fault. Change the TTL of the domain, which signs all of it again, and report it.',
    ),
  ];
}

function checkWaiting({ overdue, signing, leaving, example }: SigningTrouble): Finding[] {
  const such = `such as ${example ?? ''}.`;
  const findings: Finding[] = [];
  if (overdue > 0) {
    findings.push(
      error(
        AREA,
        `signer should have looked at ${overdue} signed domain(s) more than 15 minutes ago, ${such}`,
        'Start signer, or look into its log: signed domains cannot be changed without it, and nothing is renewed.',
      ),
    );
  }
  if (signing > 0) {
    findings.push(
      warning(
        AREA,
        `${signing} domain(s) have been waiting for their first signatures for more than an hour, ${such}`,
        'Start signer, or look into its log.',
      ),
    );
  }
  if (leaving > 0) {
    findings.push(
      warning(
        AREA,
        `${leaving} domain(s) have waited for more than a week for their DS to be removed, ${such}`,
        'The owner has it removed at the registrar; that it is gone dns-api sees by DNS_API_CHECK_RESOLVER.',
      ),
    );
  }
  return findings;
}
