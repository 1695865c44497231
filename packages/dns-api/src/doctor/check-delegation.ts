import { isAtOrBelow } from '@zonewright/dns-records';
import {
  getZoneDnssec,
  isSameDs,
  listDelegations,
  listRecordsNamed,
  type ZoneDnssec,
} from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';
import { dataOf, type DnsAnswer, dsOf, queryDns } from './ask-dns.js';
import { judgeDsOfSecondary } from './check-ds-of-secondary.js';
import {
  type Examination,
  finding,
  type Finding,
  joinResults,
  type PartResult,
} from './finding.js';

/** Checks that the parent delegates to the nameservers of this service. */
export async function checkDelegation({
  db,
  zone,
  servers,
  secondary,
  resolver,
}: Examination): Promise<PartResult> {
  if (resolver === undefined) {
    return notChecked(
      finding(
        'info',
        'resolver-not-configured',
        'The delegation, the addresses of the nameservers and names outside this service were not checked.',
        'An operator can configure a resolver for these checks (DNS_API_CHECK_RESOLVER).',
      ),
    );
  }
  const [ns, ds] = await Promise.all([
    queryDns(resolver, zone.name, 'NS', { recursive: true }),
    queryDns(resolver, zone.name, 'DS', { recursive: true }),
  ]);
  if (ns === undefined) {
    const message =
      'The resolver of this service did not answer, so the delegation was not checked.';
    return notChecked(finding('info', 'resolver-silent', message, 'Check again later.'));
  }
  const own = servers.map(({ name }) => name);
  const found = dataOf(ns, 'NS');
  if (secondary === undefined) {
    const names = judgeNames(ns.rcode, found, own, OF_SERVICE);
    const judged = judgeDs(await getZoneDnssec(db, zone), zone.name, ds);
    return { findings: [...toFindings(names, zone.name, own), ...judged], notChecked: [] };
  }
  // Its primaries choose the NS records and the keys.
  const apex = await listRecordsNamed(db, zone.id, [zone.name]);
  if (apex.length === 0) return { findings: [], notChecked: ['delegation'] };
  const expected = apex.flatMap(({ type, data }) => (type === 'NS' ? [data.toLowerCase()] : []));
  const names = judgeNames(ns.rcode, found, expected, OF_PRIMARIES);
  const findings = [
    ...toFindings(names, zone.name, expected),
    ...judgeOwnNames(expected, own),
    ...(ds === undefined ? [] : judgeDsOfSecondary(zone.name, apex, dsOf(ds))),
  ];
  return { findings, notChecked: [] };
}

function toFindings(
  names: readonly Judgement[],
  zoneName: string,
  expected: readonly string[],
): Finding[] {
  const action = `At your registrar, set the nameservers of ${zoneName} to: ${expected.join(' ')}`;
  return names.map(([severity, code, message]) => finding(severity, code, message, action));
}

/** Reports that the NS records of a secondary zone name no nameserver of this service. */
function judgeOwnNames(expected: readonly string[], own: readonly string[]): Finding[] {
  if (own.some((name) => expected.includes(name))) return [];
  const message =
    'The NS records of the domain name no nameserver of this service, so resolvers do not query it.';
  const action = `At the primary, add NS records for: ${own.join(' ')}`;
  return [finding('info', 'nameservers-not-listed', message, action)];
}

/** Checks that the parent's DS records match the keys here. */
function judgeDs(
  dnssec: ZoneDnssec,
  name: string,
  answer: DnsAnswer | undefined,
): readonly Finding[] {
  if (answer === undefined) return [];
  const shown = dsOf(answer);
  const isServedSigned = dnssec.state !== undefined && dnssec.state !== 'signing';
  if (!isServedSigned) {
    if (shown.length === 0) return [];
    const message = `The parent zone has a DS record for ${name}, but the domain is not signed here: validating resolvers cannot resolve it.`;
    const action = 'At your registrar, remove the DS records (DNSSEC) of the domain.';
    return [finding('error', 'ds-at-parent', message, action)];
  }
  if (dnssec.state !== 'signed') return [];
  const ds = dnssec.ds.filter(({ digestType }) => digestType === 2);
  const handIn = `At your registrar, set the DS record of ${name} to: ${ds.map(({ keyTag, algorithm, digestType, digest }) => `${keyTag} ${algorithm} ${digestType} ${digest}`).join(', ')}`;
  if (shown.length === 0) return [judgeNoDs(dnssec, handIn)];
  if (shown.some((one) => dnssec.keys.some(({ keyTag }) => keyTag === one.keyTag))) {
    const isCurrent = shown.some((one) => dnssec.ds.some((own) => isSameDs(own, one)));
    const message = 'The parent zone still has the DS record of a key that is being replaced.';
    return isCurrent ? [] : [finding('warning', 'ds-outdated', message, handIn)];
  }
  if (shown.some((one) => dnssec.foreignKeys.some(({ keyTag }) => keyTag === one.keyTag))) {
    const message = `The parent zone has DS records for the keys of the other provider only: validating resolvers reject the answers of this service.`;
    return [finding('warning', 'ds-of-other-provider', message, handIn)];
  }
  const message = `The DS record in the parent zone matches no key of ${name}: validating resolvers cannot resolve the domain.`;
  return [finding('error', 'ds-wrong', message, handIn)];
}

function judgeNoDs({ dsFrom, missing }: ZoneDnssec, handIn: string): Finding {
  if (dsFrom !== undefined) {
    const message = `The domain was signed so recently that resolvers may still cache unsigned data: it is too early for a DS record.`;
    return finding('info', 'ds-waits', message, missing ?? handIn);
  }
  const message = `The domain is signed, but the parent zone has no DS record: resolvers do not validate it.`;
  return finding('warning', 'ds-missing', message, handIn);
}

function notChecked(why: Finding): PartResult {
  return { findings: [why], notChecked: ['delegation'] };
}

type Judgement = readonly [Finding['severity'], string, string];

/** Sentences about a delegation that differs from the expected names. */
interface DelegationWords {
  readonly elsewhere: (found: string, expected: string) => string;
  readonly others: string;
}

const OF_SERVICE: DelegationWords = {
  elsewhere: (found) =>
    `The domain is delegated to ${found}, not to this service: resolvers do not see the records here.`,
  others: 'which do not belong to this service: answers may differ',
};

const OF_PRIMARIES: DelegationWords = {
  elsewhere: (found, expected) =>
    `The domain is delegated to ${found}, but its NS records name ${expected}.`,
  others: 'which are not in the NS records of the domain',
};

function judgeNames(
  rcode: string,
  found: readonly string[],
  expected: readonly string[],
  words: DelegationWords,
): Judgement[] {
  if (rcode === 'SERVFAIL' || rcode === 'REFUSED') {
    const message = `A resolver cannot find the domain's nameservers (${rcode}): the nameservers in the delegation do not answer for the domain.`;
    return [['error', 'delegation-broken', message]];
  }
  if (rcode === 'NXDOMAIN' || found.length === 0) {
    return [
      [
        'error',
        'not-delegated',
        'The parent zone has no delegation for the domain: resolvers cannot find it.',
      ],
    ];
  }
  const missing = expected.filter((name) => !found.includes(name));
  const foreign = found.filter((name) => !expected.includes(name));
  if (missing.length === expected.length) {
    const message = words.elsewhere(found.join(' '), expected.join(' '));
    return [['error', 'delegated-elsewhere', message]];
  }
  const judgements: Judgement[] = [];
  if (missing.length > 0) {
    const message = `The delegation lacks ${missing.join(' ')}.`;
    judgements.push(['warning', 'delegation-incomplete', message]);
  }
  if (foreign.length > 0) {
    const message = `The delegation also contains ${foreign.join(' ')}, ${words.others}.`;
    judgements.push(['warning', 'delegation-names-others', message]);
  }
  return judgements;
}

const ADDRESSES_NOT_CHECKED: PartResult = { findings: [], notChecked: ['nameserver-addresses'] };

/** Looks up the addresses of nameservers, without which a delegation is useless (RFC 9471). */
export async function checkGlue(examination: Examination): Promise<PartResult> {
  const [own, children] = await Promise.all([
    checkServerAddresses(examination),
    checkChildren(examination),
  ]);
  return joinResults([own, { findings: children, notChecked: [] }]);
}

async function checkServerAddresses({ servers, resolver }: Examination): Promise<PartResult> {
  if (resolver === undefined) return ADDRESSES_NOT_CHECKED;
  const addresses = servers.flatMap(({ name, ipv4, ipv6 }) => [
    ...(ipv4 === null ? [] : [{ name, type: 'A' as const, address: ipv4 }]),
    ...(ipv6 === null ? [] : [{ name, type: 'AAAA' as const, address: ipv6 }]),
  ]);
  const found = await Promise.all(addresses.map((each) => checkAddress(resolver, each)));
  return joinResults(found);
}

async function checkAddress(
  resolver: DnsAddress,
  { name, type, address }: { name: string; type: 'A' | 'AAAA'; address: string },
): Promise<PartResult> {
  const answer = await queryDns(resolver, name, type, { recursive: true });
  if (answer === undefined) return ADDRESSES_NOT_CHECKED;
  if (dataOf(answer, type).includes(address)) return { findings: [], notChecked: [] };
  const unknown = finding(
    'warning',
    'nameserver-address-unknown',
    `Resolvers cannot find the address ${address} of the nameserver ${name}.`,
    'Contact the operator of this service: the parent of the nameserver domain needs this address as glue.',
  );
  return { findings: [unknown], notChecked: [] };
}

/** Finds delegations within the domain to nameservers below the delegation itself that have no address. */
async function checkChildren({ db, zone }: Examination): Promise<Finding[]> {
  const delegations = await listDelegations(db, zone.id, zone.name);
  return delegations
    .filter(({ name, target, hasAddress }) => isAtOrBelow(target, name) && !hasAddress)
    .map(({ name, target }) => ({
      ...finding(
        'error',
        'glue-missing',
        `${name} is delegated to ${target}, which is below it and has no address here: resolvers cannot reach it.`,
        `Create an A or AAAA record for ${target} in this domain.`,
      ),
      about: { name, type: 'NS', target },
    }));
}
