import type { ListedDomain } from '../../api/queries.js';
import type { Change } from './batch-review.js';
import { serversOf } from './mail-providers.js';
import { absoluteName, EMPTY_VALUES, type RecordValues, toContent } from './record-text.js';
import type { ListedRecord } from './use-records.js';

type Known = readonly ListedRecord[];

/** The MX records that the name has already. */
export function mailOf(draft: RecordValues, domain: ListedDomain, known: Known): Known {
  const name = absoluteName(draft.name, domain);
  return known.filter((each) => each.type === 'MX' && each.name === name);
}

/** The mail server, where it is in this domain and has no address that is known: mail would not arrive. */
export function serverWithoutAddress(
  draft: RecordValues,
  domain: ListedDomain,
  known: Known,
): string | undefined {
  if (draft.data.trim() === '') return undefined;
  const { data } = toContent(draft, domain);
  const isOurs = data === domain.name || data.endsWith(`.${domain.name}`);
  const leads = new Set(['A', 'AAAA', 'CNAME']);
  return isOurs && !known.some(({ name, type }) => name === data && leads.has(type))
    ? data
    : undefined;
}

/**
 * All that making a record brings: of mail the servers of a provider, the address of an own server, the end of those before.
 *
 * @param known all records of the domain; undefined if not all of them are loaded
 */
export function planNew(
  draft: RecordValues,
  domain: ListedDomain,
  known: Known,
): readonly Change[] {
  const one = toContent(draft, domain);
  const create = (after: typeof one): Change => ({ before: undefined, after });
  if (draft.type !== 'MX') return [create(one)];
  const servers = serversOf(draft.provider);
  const wanted = servers?.map(([priority, data]) => ({ ...one, priority, data })) ?? [one];
  const isSame = (a: Pick<ListedRecord, 'data' | 'priority'>, b: typeof a) =>
    a.data === b.data && a.priority === b.priority;
  const before = draft.replaces === '' ? [] : mailOf(draft, domain, known);
  const ended = before.filter((old) => !wanted.some((each) => isSame(old, each)));
  const begun = wanted.filter((each) => !before.some((old) => isSame(old, each)));
  const address = draft.address.trim();
  const isGiven = servers === undefined && address !== '';
  const server = isGiven ? serverWithoutAddress(draft, domain, known) : undefined;
  const changes = [
    ...ended.map((old): Change => ({ before: old, after: undefined })),
    ...begun.map(create),
    ...(server === undefined
      ? []
      : [
          create(
            toContent(
              {
                ...EMPTY_VALUES,
                name: server,
                type: address.includes(':') ? 'AAAA' : 'A',
                data: address,
              },
              domain,
            ),
          ),
        ]),
  ];
  // Duplicates are sent, too: the service reports them.
  return changes.length === 0 ? wanted.map(create) : changes;
}
