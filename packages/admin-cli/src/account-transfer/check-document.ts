import { type AccountParts, type DocumentEncryption, isSoundValidity } from '@zonewright/accounts';
import { ancestorsOf } from '@zonewright/dns-records';
import { systemClock } from '@zonewright/service-kit';
import { type DomainPart, type MovedDomain, readDomain } from '@zonewright/zones';
import {
  DOCUMENT_FORMAT,
  DOCUMENT_VERSION,
  type DocumentItem,
  type ListName,
  readDocument,
  type TenantPart,
} from './account-document.js';
import { checkMembers, isRecord, ProblemList } from './check-members.js';
import { PART_RULES } from './document-rules.js';

/** A valid document without its records, which are read again when they are written. */
export interface CheckedDocument extends AccountParts {
  readonly encryption: DocumentEncryption | undefined;
  readonly tenants: readonly TenantPart[];
  readonly domains: readonly (Pick<DomainPart, 'id' | 'tenant' | 'name'> & {
    readonly records: number;
  })[];
  readonly records: number;
}

interface Gathered {
  head: Record<string, unknown>;
  readonly lists: Record<Exclude<ListName, 'domains'>, unknown[]>;
  readonly domains: { id: string; tenant: string; name: string; records: number }[];
  readonly recordIds: Set<string>;
}

/** Reads a document and reports all its problems with their paths. */
export async function checkDocument(
  path: string,
): Promise<{ document: CheckedDocument; problems: ProblemList }> {
  const problems = new ProblemList();
  const gathered: Gathered = {
    head: {},
    lists: { users: [], tenants: [], roleAssignments: [], accessKeys: [] },
    domains: [],
    recordIds: new Set(),
  };
  for await (const item of readDocument(path)) await take(item, gathered, problems);
  const document = toDocument(gathered, problems);
  if (problems.count === 0) checkReferences(document, problems);
  return { document, problems };
}

async function take(item: DocumentItem, gathered: Gathered, problems: ProblemList): Promise<void> {
  if (item.section === 'head') {
    gathered.head[item.name] = item.value;
    return;
  }
  const place = `${item.section}[${item.index}]`;
  const isSound = checkMembers(item.value, PART_RULES[item.section], { place, problems });
  if (item.section !== 'domains') {
    gathered.lists[item.section].push(item.value);
    return;
  }
  if (!isSound) return;
  const part = item.value as DomainPart;
  const domain = await checkDomain(part, { place, problems, recordIds: gathered.recordIds });
  if (domain === undefined) return;
  const { id, tenant, name } = domain;
  gathered.domains.push({ id, tenant, name, records: domain.records.length });
}

function toDocument({ head, lists, domains }: Gathered, problems: ProblemList): CheckedDocument {
  const { format, version, encryption, accountDomain } = head;
  if (format !== DOCUMENT_FORMAT) problems.add('format', `must be "${DOCUMENT_FORMAT}"`);
  if (version !== DOCUMENT_VERSION) {
    problems.add('version', `must be ${DOCUMENT_VERSION}, the version that this program reads`);
  }
  checkMembers(accountDomain, PART_RULES.accountDomain, { place: 'accountDomain', problems });
  if (encryption !== undefined && encryption !== null && !isEncryption(encryption)) {
    problems.add(
      'encryption',
      'must be null, or an object with kdf "scrypt", n, r, p, salt and check',
    );
  }
  return {
    ...(lists as unknown as Pick<
      CheckedDocument,
      'users' | 'tenants' | 'roleAssignments' | 'accessKeys'
    >),
    encryption: isEncryption(encryption) ? encryption : undefined,
    accountDomain: accountDomain as AccountParts['accountDomain'],
    domains,
    records: domains.reduce((sum, domain) => sum + domain.records, 0),
  };
}

function isEncryption(value: unknown): value is DocumentEncryption {
  return (
    isRecord(value) &&
    value['kdf'] === 'scrypt' &&
    ['n', 'r', 'p'].every((name) => Number.isInteger(value[name])) &&
    ['salt', 'check'].every((name) => typeof value[name] === 'string')
  );
}

function checkReferences(document: CheckedDocument, problems: ProblemList): void {
  const { users, tenants, roleAssignments, accessKeys, domains } = document;
  const known = { user: idsOf('users', users), tenant: idsOf('tenants', tenants) };
  idsOf('accessKeys', accessKeys);
  idsOf('domains', domains);
  findTwice(
    'domains',
    domains.map(({ name }) => name),
    'name',
  );
  for (const [index, { user, tenant }] of roleAssignments.entries()) {
    mustKnow('user', user, `roleAssignments[${index}]`);
    if (typeof tenant === 'string') mustKnow('tenant', tenant, `roleAssignments[${index}]`);
  }
  for (const [index, key] of accessKeys.entries()) {
    mustKnow('user', key.user, `accessKeys[${index}]`);
    const validity = { validFrom: new Date(key.validFrom), validTo: new Date(key.validTo) };
    if (!isSoundValidity(validity)) {
      problems.add(`accessKeys[${index}].validTo`, 'must be after validFrom');
    }
  }
  const owners = new Map(domains.map(({ name, tenant }) => [name, tenant]));
  for (const { tenant, name } of domains) {
    mustKnow('tenant', tenant, `the domain ${name}`);
    const family = ancestorsOf(name).find((each) => (owners.get(each) ?? tenant) !== tenant);
    if (family !== undefined)
      problems.add(`the domain ${name}`, `is inside ${family} of another tenant`);
  }

  function idsOf(section: string, parts: readonly { readonly id: string }[]): ReadonlySet<string> {
    const ids = parts.map(({ id }) => id);
    findTwice(section, ids, 'id');
    return new Set(ids);
  }
  function findTwice(section: string, values: readonly string[], member: string): void {
    const seen = new Set<string>();
    for (const value of values) {
      if (seen.has(value)) problems.add(section, `have the ${member} ${value} twice`);
      seen.add(value);
    }
  }
  function mustKnow(what: 'user' | 'tenant', id: string, place: string): void {
    if (!known[what].has(id))
      problems.add(`${place}.${what}`, `the document has no ${what} with the id ${id}`);
  }
}

interface Place {
  readonly place: string;
  readonly problems: ProblemList;
  /** Ids of the records so far. */
  readonly recordIds: Set<string>;
}

/** Checks the members of a domain, then the form and the content of its records. */
export async function checkDomain(part: DomainPart, at: Place): Promise<MovedDomain | undefined> {
  const { place, problems, recordIds } = at;
  const before = problems.count;
  const records = part.records.map((record, index) => {
    const at = { place: `${place}.records[${index}]`, problems };
    if (!checkMembers(record, PART_RULES.records, at)) return undefined;
    if (recordIds.has(record.id)) problems.add(`${at.place}.id`, 'is listed twice');
    recordIds.add(record.id);
    return record;
  });
  const read = await readDomain(part, records, systemClock);
  for (const { path, message } of read.problems) problems.add(`${place}.${path}`, message);
  return problems.count > before ? undefined : read.domain;
}
