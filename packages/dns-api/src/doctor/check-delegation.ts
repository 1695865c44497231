import { isAtOrBelow } from '@zonewright/dns-records';
import { getZoneDnssec, isSameDs, listDelegations, type ZoneDnssec } from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';
import { dataOf, type DnsAnswer, dsOf, queryDns } from './ask-dns.js';
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
  resolver,
}: Examination): Promise<PartResult> {
  if (resolver === undefined) {
    return notChecked(
      finding(
        'info',
        'resolver-not-configured',
        'The delegation, the addresses of the nameservers and names outside of this service were not checked.',
        'An operator can configure a resolver to ask (DNS_API_CHECK_RESOLVER).',
      ),
    );
  }
  const [ns, ds] = await Promise.all([
    queryDns(resolver, zone.name, 'NS', { recursive: true }),
    queryDns(resolver, zone.name, 'DS', { recursive: true }),
  ]);
  if (ns === undefined) {
    const message =
      'The resolver that this service asks did not answer, so the delegation was not checked.';
    return notChecked(finding('info', 'resolver-silent', message, 'Check again later.'));
  }
  const expected = servers.map(({ name }) => name);
  const listed = expected.join(' ');
  const findings = [
    ...judgeNames(ns.rcode, dataOf(ns, 'NS'), expected).map(([severity, code, message]) =>
      finding(
        severity,
        code,
        message,
        `At your registrar, set the nameservers of ${zone.name} to: ${listed}`,
      ),
    ),
    ...judgeDs(await getZoneDnssec(db, zone), zone.name, ds),
  ];
  return { findings, notChecked: [] };
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
    const message = `The parent says that ${name} is signed (DS record), which it is not here: validating resolvers refuse all of it.`;
    const action = 'At your registrar, remove the DS records (DNSSEC) of the domain.';
    return [finding('error', 'ds-at-parent', message, action)];
  }
  if (dnssec.state !== 'signed') return [];
  const ds = dnssec.ds.filter(({ digestType }) => digestType === 2);
  const handIn = `At your registrar, set the DS of ${name} to: ${ds.map(({ keyTag, algorithm, digestType, digest }) => `${keyTag} ${algorithm} ${digestType} ${digest}`).join(', ')}`;
  if (shown.length === 0) return [judgeNoDs(dnssec, handIn)];
  if (shown.some((one) => dnssec.keys.some(({ keyTag }) => keyTag === one.keyTag))) {
    const isCurrent = shown.some((one) => dnssec.ds.some((own) => isSameDs(own, one)));
    const message = 'The parent still has the DS of a key that is being replaced.';
    return isCurrent ? [] : [finding('warning', 'ds-outdated', message, handIn)];
  }
  if (shown.some((one) => dnssec.foreignKeys.some(({ keyTag }) => keyTag === one.keyTag))) {
    const message = `The DS of the parent is of the other provider's keys alone: validating resolvers refuse what they get here.`;
    return [finding('warning', 'ds-of-other-provider', message, handIn)];
  }
  const message = `The DS of the parent is of no key of ${name}: validating resolvers refuse all of it.`;
  return [finding('error', 'ds-wrong', message, handIn)];
}

function judgeNoDs({ dsFrom, missing }: ZoneDnssec, handIn: string): Finding {
  if (dsFrom !== undefined) {
    const message = `The domain is signed since so lately that resolvers may remember it unsigned: it is too early for a DS.`;
    return finding('info', 'ds-waits', message, missing ?? handIn);
  }
  const message = `The domain is signed, and its parent has no DS: nobody validates it.`;
  return finding('warning', 'ds-missing', message, handIn);
}

function notChecked(why: Finding): PartResult {
  return { findings: [why], notChecked: ['delegation'] };
}

type Judgement = readonly [Finding['severity'], string, string];

function judgeNames(
  rcode: string,
  found: readonly string[],
  expected: readonly string[],
): Judgement[] {
  if (rcode === 'SERVFAIL' || rcode === 'REFUSED') {
    const message = `A resolver cannot find the domain's nameservers (${rcode}): those that the parent names do not answer for it.`;
    return [['error', 'delegation-broken', message]];
  }
  if (rcode === 'NXDOMAIN' || found.length === 0) {
    return [['error', 'not-delegated', 'The parent does not know the domain: nobody is led here.']];
  }
  const missing = expected.filter((name) => !found.includes(name));
  const foreign = found.filter((name) => !expected.includes(name));
  if (missing.length === expected.length) {
    const message = `The domain is delegated to ${found.join(' ')}, not to this service: what is written here is not seen.`;
    return [['error', 'delegated-elsewhere', message]];
  }
  const judgements: Judgement[] = [];
  if (missing.length > 0) {
    const message = `The delegation does not name ${missing.join(' ')}.`;
    judgements.push(['warning', 'delegation-incomplete', message]);
  }
  if (foreign.length > 0) {
    const message = `The delegation also names ${foreign.join(' ')}, which this service does not run: answers may differ.`;
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
    `Resolvers do not find the address ${address} of the nameserver ${name}.`,
    'Tell the operator of this service: the parent of the nameserver domain needs this address as glue.',
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
        `${name} is delegated to ${target}, which lies in it and has no address here: nobody can reach it.`,
        `Create an A or AAAA record for ${target} in this domain.`,
      ),
      about: { name, type: 'NS', target },
    }));
}
