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
  { about, fix }: { readonly about: About; readonly fix?: Finding['fix'] },
): Promise<string | undefined> {
  const { name, type, target, data } = about;
  const path = paths.records(projectId, domain.name);
  if (fix !== undefined || (target === undefined && data === undefined)) {
    const changes =
      fix === undefined
        ? sameTtl(await recordsAt(projectId, domain, name, type), domain, about)
        : await changesOf(projectId, domain, fix);
    collectFor(domain.id, changes);
    return `${path}?review=true`;
  }
  if (isEditing(domain)) return undefined;
  if (target !== undefined && (await canCreate(projectId, domain, target))) {
    drafts.keepNew(domain.id, { ...EMPTY_VALUES, name: relativeName(target, domain.name) });
    return path;
  }
  const records = await recordsAt(projectId, domain, name, type);
  const record = findRecord(records, about);
  if (record === undefined) return path;
  drafts.keepEdited(domain.id, { record, draft: toValues(record, domain.name) });
  return `${path}?q=${encodeURIComponent((target ?? name).replace(/\.$/, ''))}`;
}

function isEditing({ id }: ListedDomain): boolean {
  return drafts.readNew(id) !== undefined || drafts.readEdited(id) !== undefined;
}

function findRecord(records: readonly ZoneRecord[], { target, data }: About) {
  return records.find((each) =>
    target === undefined
      ? each.data === data
      : each.data.toLowerCase().split(' ').at(-1) === target,
  );
}

/**
 * Whether a name in this domain can be created. For an alias or another domain, only the record that points to it can
 * be changed.
 */
async function canCreate(projectId: string, domain: ListedDomain, target: string) {
  const domainName = canonical(domain.name);
  const isOwn = target === domainName || target.endsWith(`.${domainName}`);
  return isOwn && (await recordsAt(projectId, domain, target, 'CNAME')).length === 0;
}

/** Finds the records that a fix replaces, and pairs them with those that it makes. */
async function changesOf(
  projectId: string,
  domain: ListedDomain,
  { remove, add }: NonNullable<Finding['fix']>,
) {
  const present = await Promise.all(
    remove.map(async ({ name, type, data }) => {
      const records = await recordsAt(projectId, domain, name, type);
      return records.find((each) => each.data === data);
    }),
  );
  const paired = present.flatMap((before, at) => {
    const content = add[at];
    if (before === undefined) return [];
    return [{ before, after: content === undefined ? undefined : { ...before, ...content } }];
  });
  return [
    ...paired,
    ...add.slice(remove.length).map((content) => ({
      before: undefined,
      after: { ...content, ttl: null, description: null },
    })),
  ];
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
