import type { Output, ZoneRecord } from '@zonewright/client';
import { clientOf } from '../../api/client.js';
import type { ListedDomain } from '../../api/queries.js';
import { paths } from '../../state/paths.js';
import { drafts } from '../records/use-collected.js';
import { canonical, EMPTY_VALUES, relativeName, toValues } from '../records/record-text.js';
import { collectFor } from '../records/use-collected.js';

export type Finding = Output<'checkDomain'>['findings'][number];
type About = NonNullable<Finding['about']>;

/**
 * Prepares a fix for a finding on the records screen: a filled-in editor, or changes to review.
 *
 * @returns the URL of that screen; undefined if the user is editing a record there
 */
export async function prepareFix(
  projectId: string,
  domain: ListedDomain,
  about: About,
): Promise<string | undefined> {
  const { name, type, target } = about;
  const path = paths.records(projectId, domain.name);
  if (target === undefined) {
    const records = await recordsAt(projectId, domain, name, type);
    collectFor(domain.id, sameTtl(records, domain, about));
    return `${path}?review=true`;
  }
  if (drafts.readNew(domain.id) !== undefined || drafts.readEdited(domain.id) !== undefined)
    return undefined;
  // A name in this domain can be created. For an alias or another domain, only the record that points to it can be
  // changed.
  const domainName = canonical(domain.name);
  const isOwn = target === domainName || target.endsWith(`.${domainName}`);
  if (isOwn && (await recordsAt(projectId, domain, target, 'CNAME')).length === 0) {
    drafts.keepNew(domain.id, { ...EMPTY_VALUES, name: relativeName(target, domain.name) });
    return path;
  }
  const records = await recordsAt(projectId, domain, name, type);
  const record = records.find(({ data }) => data.toLowerCase().split(' ').at(-1) === target);
  if (record === undefined) return path;
  drafts.keepEdited(domain.id, { record, draft: toValues(record, domain.name) });
  return `${path}?q=${encodeURIComponent(target.replace(/\.$/, ''))}`;
}

async function recordsAt(
  projectId: string,
  { id: domainId }: ListedDomain,
  name: string,
  type: string,
): Promise<readonly ZoneRecord[]> {
  const query = { name, type, all_types: true, extended: true };
  const input = { path: { domainId }, query };
  return (await clientOf(projectId).call('listRecords', input)).value.records as ZoneRecord[];
}

/** Sets the TTL that is served now for all records. Managed NS records keep the TTL of the domain. */
function sameTtl(records: readonly ZoneRecord[], domain: ListedDomain, { name, type }: About) {
  const ttlOf = ({ ttl }: ZoneRecord) => ttl ?? domain.ttl;
  const isApexNs = type === 'NS' && name === canonical(domain.name);
  const wanted = isApexNs ? domain.ttl : Math.min(...records.map(ttlOf));
  return records
    .filter((before) => ttlOf(before) !== wanted)
    .map((before) => ({ before, after: { ...before, ttl: isApexNs ? null : wanted } }));
}
