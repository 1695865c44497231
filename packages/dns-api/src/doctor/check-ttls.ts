import { listMixedTtls, listRecentChanges } from '@zonewright/zones';
import { type Examination, finding, type Finding, type PartResult } from './finding.js';

/** Default of our nameservers if none reported a value (RFC 2308: MINIMUM of the SOA). */
const USUAL_NEGATIVE_TTL = 300;

/** Finds old data that resolvers may still cache, and TTLs that differ from those in responses. */
export async function checkTtls(
  examination: Examination,
  negativeTtl = USUAL_NEGATIVE_TTL,
): Promise<PartResult> {
  const [remembered, mixed] = await Promise.all([
    checkRemembered(examination, negativeTtl),
    checkMixed(examination),
  ]);
  return { findings: [...mixed, ...remembered], notChecked: [] };
}

async function checkRemembered(
  { db, zone }: Examination,
  negativeTtl: number,
): Promise<readonly Finding[]> {
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
  const what = longest.isNew ? 'that it did not exist' : 'the previous records';
  return [
    finding(
      'info',
      'old-answers-remembered',
      `Resolvers that asked for ${longest.name} before the last change may cache ${what} for another ${longest.seconds} s.`,
      `Wait ${longest.seconds} s; next time, lower the TTL before an urgent change.`,
    ),
  ];
}

/** Reports different TTLs of records with one name and type, which RFC 2181, section 5.2, forbids. */
async function checkMixed({ db, zone }: Examination): Promise<readonly Finding[]> {
  return (await listMixedTtls(db, zone)).map(({ name, type, least, most }) => ({
    ...finding(
      'info',
      'mixed-ttl',
      `The ${type} records of ${name} have TTLs from ${least} to ${most}; all of them are published with ${least}.`,
      `Give all ${type} records of ${name} the same TTL.`,
    ),
    about: { name, type },
  }));
}
