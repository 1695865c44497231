import { listRecentChanges } from './doctor-store.js';
import type { Examination } from './examination.js';
import { finding, type Finding } from './finding.js';

/** The default of nameservers, where none of them said it (RFC 2308: MINIMUM of the SOA). */
const USUAL_NEGATIVE_TTL = 300;

/** What resolvers may still remember from before the last change. */
export async function checkTtls(
  { db, zone }: Examination,
  negativeTtl = USUAL_NEGATIVE_TTL,
): Promise<Finding[]> {
  const changes = await listRecentChanges(db, zone.id);
  const rests = changes.map(({ name, isNew, ttlBefore, secondsAgo }) => ({
    name,
    isNew,
    seconds: Math.ceil((isNew ? negativeTtl : (ttlBefore ?? zone.ttl)) - secondsAgo),
  }));
  const longest = rests.reduce((most, rest) => (rest.seconds > most.seconds ? rest : most), {
    name: zone.name,
    isNew: true,
    seconds: 0,
  });
  if (longest.seconds <= 0) return [];
  const what = longest.isNew ? 'that there was nothing' : 'what was there before';
  return [
    finding(
      'info',
      'old-answers-remembered',
      `Resolvers that asked for ${longest.name} before the last change may go on remembering ${what} for ${longest.seconds} s.`,
      `Wait ${longest.seconds} s; before a change that must be seen soon, lower the TTL first.`,
    ),
  ];
}
