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
  return [ok(AREA, `${trouble.zones} domain(s) are signed, and the signer maintains them.`)];
};

function checkEnd({ firstEnd }: SigningTrouble, now: number): Finding[] {
  if (firstEnd === undefined) return [];
  const daysLeft = (firstEnd.at.getTime() - now) / DAY_MS;
  if (daysLeft >= WARNING_DAYS) return [];
  const level = daysLeft < ERROR_DAYS ? error : warning;
  return [
    level(
      AREA,
      `Signatures of ${firstEnd.name} may expire at ${firstEnd.at.toISOString()}; after that, validation fails.`,
      'Find out why the signer does not renew them: check its /readyz and its log.',
    ),
  ];
}

/** Reports the faults that the signer's audit has found. */
function checkBroken({ count, example }: Awaited<ReturnType<typeof findBrokenZones>>): Finding[] {
  if (count === 0) return [];
  return [
    error(
      AREA,
      `${count} signed domain(s) have wrong signatures or records, such as ${example ?? ''}.`,
      'The database was changed without the services, or a service has a fault. Change the TTL of the domain to sign all of it again, and report the fault.',
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
        `The signer should have checked ${overdue} signed domain(s) more than 15 minutes ago, ${such}`,
        'Start the signer, or check its log: without it, signed domains cannot be changed and signatures are not renewed.',
      ),
    );
  }
  if (signing > 0) {
    findings.push(
      warning(
        AREA,
        `${signing} domain(s) have been waiting for their first signatures for more than an hour, ${such}`,
        'Start the signer, or check its log.',
      ),
    );
  }
  if (leaving > 0) {
    findings.push(
      warning(
        AREA,
        `${leaving} domain(s) have been waiting for more than a week for the deletion of their DS record, ${such}`,
        'The owner must delete it at the registrar; dns-api notices this with the resolver in DNS_API_CHECK_RESOLVER.',
      ),
    );
  }
  return findings;
}
