import { MAX_CNAME_CHAIN } from '../src/message/query-context.js';

/*
 * A simple equivalent of src/answer. It gives the same answers by reading whole lists of records, so that a reader can
 * check it easily. Names are lower-case text without the trailing dot; '' is the root.
 */

export interface PlainRecord {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: string;
}

export interface PlainZone {
  readonly apex: string;
  readonly records: readonly PlainRecord[];
}

export interface PlainAnswer {
  rcode: 'NOERROR' | 'NXDOMAIN' | 'REFUSED';
  isAuthoritative: boolean;
  readonly answers: PlainRecord[];
  readonly authorities: PlainRecord[];
  /** Addresses without which a referral is useless. */
  readonly glue: PlainRecord[];
  /** Addresses that may be omitted. */
  readonly addresses: PlainRecord[];
}

/** The state of a question's search through the zones. */
interface Search {
  readonly zones: readonly PlainZone[];
  readonly type: string;
  readonly isTcp: boolean;
  /** The CNAMEs that have been followed. */
  readonly followed: string[];
  readonly answer: PlainAnswer;
}

/** Returns the answer of a server with these zones, if everything fits. */
export function plainAnswer(
  zones: readonly PlainZone[],
  question: { readonly name: string; readonly type: string },
  isTcp: boolean,
): PlainAnswer {
  const answer: PlainAnswer = {
    rcode: 'NOERROR',
    isAuthoritative: false,
    answers: [],
    authorities: [],
    glue: [],
    addresses: [],
  };
  const search: Search = { zones, type: question.type, isTcp, followed: [], answer };
  let name: string | undefined = question.name;
  while (name !== undefined) name = answerName(search, name);
  return answer;
}

/** Adds the answer for a name; returns the next name if this one has a CNAME to follow. */
function answerName(search: Search, name: string): string | undefined {
  const { zones, type, answer } = search;
  const zone = zoneOf(zones, name, type);
  if (zone === undefined) {
    if (search.followed.length === 0) answer.rcode = 'REFUSED';
    return undefined;
  }
  const cut = cutOf(zone, name);
  if (cut !== undefined && !(type === 'DS' && cut === name)) {
    refer(zones, zone, cut, answer);
    return undefined;
  }
  answer.isAuthoritative = true;
  if (type === 'DS' && isApex(zones, name) && zone.apex !== name) {
    answer.authorities.push(negativeSoa(zone));
    return undefined;
  }
  const source = sourceOf(zones, zone, name);
  if (source === undefined) {
    answer.rcode = 'NXDOMAIN';
    answer.authorities.push(negativeSoa(zone));
    return undefined;
  }
  return answerFromSource(search, zone, source, name);
}

/** Adds the answer for a name that exists or matches a wildcard. */
function answerFromSource(
  { zones, type, isTcp, followed, answer }: Search,
  zone: PlainZone,
  source: string,
  name: string,
): string | undefined {
  const [cname] = rrset(zone, source, 'CNAME');
  const wanted = wantedRecords(zone, source, type, isTcp);
  if (wanted.length > 0) {
    answer.answers.push(...wanted.map((record) => ({ ...record, owner: name })));
    if (type !== 'ANY') addAddresses(zones, wanted, answer);
    return undefined;
  }
  if (cname === undefined) {
    answer.authorities.push(negativeSoa(zone));
    return undefined;
  }
  const alias = `${name} from ${source} in ${zone.apex}`;
  if (followed.includes(alias) || followed.length === MAX_CNAME_CHAIN) return undefined;
  followed.push(alias);
  answer.answers.push({ ...cname, owner: name });
  return cname.data;
}

/**
 * Returns the zone with the longest matching apex. The DS of an apex belongs to the zone above it, unless there is a
 * delegation between them.
 */
function zoneOf(zones: readonly PlainZone[], name: string, type: string): PlainZone | undefined {
  const nearest = nearestZone(zones, name);
  if (type !== 'DS' || nearest?.apex !== name || name === '') return nearest;
  const above = nearestZone(zones, parentOf(name));
  if (above === undefined) return nearest;
  const cut = cutOf(above, name);
  return cut === undefined || cut === name ? above : nearest;
}

function isApex(zones: readonly PlainZone[], name: string): boolean {
  return zones.some(({ apex }) => apex === name);
}

function nearestZone(zones: readonly PlainZone[], name: string): PlainZone | undefined {
  return zones
    .filter(({ apex }) => isAtOrBelow(name, apex))
    .toSorted((a, b) => b.apex.length - a.apex.length)[0];
}

/** Returns the highest name at or above `name` that has NS records and is neither the apex nor a wildcard. */
function cutOf(zone: PlainZone, name: string): string | undefined {
  return ancestorsOf(name)
    .filter((ancestor) => isAtOrBelow(ancestor, zone.apex) && ancestor !== zone.apex)
    .filter((ancestor) => !isWildcard(ancestor) && rrset(zone, ancestor, 'NS').length > 0)
    .at(-1);
}

/** Returns the name if it exists, otherwise the wildcard at its closest encloser if that exists. */
function sourceOf(zones: readonly PlainZone[], zone: PlainZone, name: string): string | undefined {
  if (exists(zones, zone, name)) return name;
  const encloser = ancestorsOf(name).find((ancestor) => exists(zones, zone, ancestor)) ?? zone.apex;
  const wildcard = encloser === '' ? '*' : `*.${encloser}`;
  return exists(zones, zone, wildcard) ? wildcard : undefined;
}

/** Returns whether a name exists because of a record or of a zone below it. */
function exists(zones: readonly PlainZone[], zone: PlainZone, name: string): boolean {
  return (
    zone.records.some(({ owner }) => isAtOrBelow(owner, name)) ||
    zones.some(({ apex }) => apex !== zone.apex && isAtOrBelow(apex, name))
  );
}

function wantedRecords(
  zone: PlainZone,
  source: string,
  type: string,
  isTcp: boolean,
): readonly PlainRecord[] {
  if (type !== 'ANY') return rrset(zone, source, type);
  const types = TYPES_IN_ORDER.filter((each) => rrset(zone, source, each).length > 0);
  return (isTcp ? types : types.slice(0, 1)).flatMap((each) => rrset(zone, source, each));
}

/** The types in the order of their numbers. */
const TYPES_IN_ORDER = ['A', 'NS', 'CNAME', 'SOA', 'MX', 'TXT', 'AAAA', 'SRV'];

/** Returns an RRset without duplicates, with the lowest TTL. */
function rrset(zone: PlainZone, owner: string, type: string): PlainRecord[] {
  const records = zone.records.filter((record) => record.owner === owner && record.type === type);
  const ttl = Math.min(...records.map((record) => record.ttl));
  const datas = new Set(records.map(({ data }) => data));
  return [...datas].map((data) => ({ owner, type, ttl, data }));
}

function negativeSoa(zone: PlainZone): PlainRecord {
  const [soa] = rrset(zone, zone.apex, 'SOA');
  if (soa === undefined) throw new Error('A zone has a SOA.');
  return { ...soa, ttl: Math.min(soa.ttl, Number(soa.data.split(' ').at(-1))) };
}

function refer(
  zones: readonly PlainZone[],
  zone: PlainZone,
  cut: string,
  answer: PlainAnswer,
): void {
  const nameservers = rrset(zone, cut, 'NS');
  const isInside = ({ data }: PlainRecord): boolean => isAtOrBelow(data, cut);
  answer.authorities.push(...nameservers);
  for (const { data } of nameservers.filter(isInside)) answer.glue.push(...addressesOf(zone, data));
  addAddresses(
    zones,
    nameservers.filter((record) => !isInside(record)),
    answer,
  );
}

/** Adds addresses of the targets that are in one of the zones; for names below delegations only for NS. */
function addAddresses(
  zones: readonly PlainZone[],
  records: readonly PlainRecord[],
  answer: PlainAnswer,
): void {
  for (const { type, data } of records) {
    const target = targetOf(type, data);
    const zone = target === undefined ? undefined : nearestZone(zones, target);
    if (target === undefined || zone === undefined) continue;
    if (type !== 'NS' && cutOf(zone, target) !== undefined) continue;
    const isNew = (address: PlainRecord): boolean =>
      !answer.addresses.some((known) => isSameRecord(known, address));
    answer.addresses.push(...addressesOf(zone, target).filter(isNew));
  }
}

function addressesOf(zone: PlainZone, owner: string): PlainRecord[] {
  return [...rrset(zone, owner, 'A'), ...rrset(zone, owner, 'AAAA')];
}

function targetOf(type: string, data: string): string | undefined {
  return ['NS', 'MX', 'SRV'].includes(type) ? data.split(' ').at(-1) : undefined;
}

function isSameRecord(a: PlainRecord, b: PlainRecord): boolean {
  return a.owner === b.owner && a.type === b.type && a.data === b.data;
}

function isWildcard(name: string): boolean {
  return name === '*' || name.startsWith('*.');
}

function isAtOrBelow(name: string, ancestor: string): boolean {
  return ancestor === '' || name === ancestor || name.endsWith(`.${ancestor}`);
}

function parentOf(name: string): string {
  return name.split('.').slice(1).join('.');
}

/** Returns the name itself, its parent, and so on up to the root. */
function ancestorsOf(name: string): string[] {
  if (name === '') return [''];
  return [name, ...ancestorsOf(parentOf(name))];
}
