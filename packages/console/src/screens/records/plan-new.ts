import type { ListedDomain } from '../../api/queries.js';
import type { Change } from './batch-review.js';
import {
  absoluteName,
  canonical,
  EMPTY_VALUES,
  type RecordValues,
  toContent,
} from './record-text.js';
import type { ListedRecord } from './use-records.js';

type Known = readonly ListedRecord[];

/** Returns the existing MX records of the name. */
export function mailOf(draft: RecordValues, domain: ListedDomain, known: Known): Known {
  const name = absoluteName(draft.name, domain);
  return known.filter((each) => each.type === 'MX' && each.name === name);
}

/** Returns the mail server if it is in this domain and has no known address, because mail could not be delivered. */
export function serverWithoutAddress(
  draft: RecordValues,
  domain: ListedDomain,
  known: Known,
): string | undefined {
  if (draft.data.trim() === '') return undefined;
  const { data } = toContent(draft, domain);
  const own = canonical(domain.name);
  const isOurs = data === own || data.endsWith(`.${own}`);
  const leads = new Set(['A', 'AAAA', 'CNAME']);
  return isOurs && !known.some(({ name, type }) => name === data && leads.has(type))
    ? data
    : undefined;
}

/**
 * Returns all changes that a new record requires. For mail, these are the servers of a provider, the address of the
 * user's own server, and the removal of existing ones.
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
  // Duplicates are also sent, since the service reports them.
  return changes.length === 0 ? wanted.map(create) : changes;
}

interface MailProvider {
  readonly id: string;
  readonly name: string;
  /** Priority and name of each server, as documented by the provider. */
  readonly servers: readonly (readonly [number, string])[];
}

/**
 * Mail providers with the same servers for all customers, as of 2026. Microsoft 365 and others assign servers to each
 * customer. SPF and DKIM records are omitted, since their content depends on the customer.
 */
export const MAIL_PROVIDERS: readonly MailProvider[] = [
  { id: 'google', name: 'Google Workspace', servers: [[1, 'smtp.google.com.']] },
  {
    id: 'fastmail',
    name: 'Fastmail',
    servers: [
      [10, 'in1-smtp.messagingengine.com.'],
      [20, 'in2-smtp.messagingengine.com.'],
    ],
  },
  {
    id: 'icloud',
    name: 'iCloud Mail',
    servers: [
      [10, 'mx01.mail.icloud.com.'],
      [10, 'mx02.mail.icloud.com.'],
    ],
  },
  {
    id: 'mailbox',
    name: 'mailbox.org',
    servers: [
      [10, 'mxext1.mailbox.org.'],
      [10, 'mxext2.mailbox.org.'],
      [20, 'mxext3.mailbox.org.'],
    ],
  },
  {
    id: 'proton',
    name: 'Proton Mail',
    servers: [
      [10, 'mail.protonmail.ch.'],
      [20, 'mailsec.protonmail.ch.'],
    ],
  },
  {
    id: 'zoho',
    name: 'Zoho Mail (zoho.com)',
    servers: [
      [10, 'mx.zoho.com.'],
      [20, 'mx2.zoho.com.'],
      [50, 'mx3.zoho.com.'],
    ],
  },
];

/** Value for a name that accepts no mail (RFC 7505). */
export const NO_MAIL = 'none';

/** @returns undefined for a server that the user entered */
export function serversOf(id: string): MailProvider['servers'] | undefined {
  if (id === NO_MAIL) return [[0, '.']];
  return MAIL_PROVIDERS.find((each) => each.id === id)?.servers;
}
