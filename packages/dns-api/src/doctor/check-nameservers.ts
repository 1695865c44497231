import { compareSerials } from '@zonewright/dns-records';
import type { NameserverStatus } from '@zonewright/zones';
import type { DnsAddress } from '@zonewright/service-kit';
import { queryDns, type DnsAnswer, soaOf } from './ask-dns.js';
import {
  type Examination,
  finding,
  type Finding,
  type NameserverAnswer,
  type PartResult,
} from './finding.js';
import { addressOf, textOf } from './nameserver-asker.js';

/** The advice for findings that only the operator can resolve. */
const OPERATOR = 'Contact the operator of this service and wait: the domain itself has no problem.';

export interface NameserversChecked extends PartResult {
  readonly nameservers: readonly NameserverAnswer[];
  /**
   * The time in seconds for which resolvers cache that a name does not exist; undefined if no nameserver reported it.
   */
  readonly negativeTtl: number | undefined;
}

/** Queries each nameserver of this service for the domain's SOA, as resolvers do. */
export async function checkNameservers(examination: Examination): Promise<NameserversChecked> {
  const { servers, zone } = examination;
  const checked = await Promise.all(
    servers.map(async (server) => {
      const address = addressOf(server, examination);
      const answer = address && (await queryDns(address, zone.name, 'SOA', { recursive: false }));
      return { server, address, answer, soa: answer && soaOf(answer) };
    }),
  );
  const shared = findShared(checked);
  const isAnyGood = checked.some(({ soa }) => soa !== undefined);
  return {
    findings: [
      ...checked.flatMap(({ server, address, answer }) =>
        judge(examination, { name: server.name, address, answer, isAnyGood }),
      ),
      ...shared.map(sharedAddress),
    ],
    // If nameservers share an address, the response proves nothing about each of them. If there are no nameservers,
    // none was queried.
    notChecked: shared.length > 0 || servers.length === 0 ? ['nameservers'] : [],
    nameservers: checked.map(({ server, address, answer, soa }) => ({
      name: server.name,
      address: address === undefined ? null : textOf(address),
      status: answer?.rcode ?? 'no answer',
      serial: soa?.serial ?? null,
    })),
    negativeTtl: checked.find(({ soa }) => soa !== undefined)?.soa?.negativeTtl,
  };
}

/** An address at which several nameservers were queried. */
interface Shared {
  readonly address: string;
  readonly names: readonly string[];
}

function findShared(
  checked: readonly { server: NameserverStatus; address: DnsAddress | undefined }[],
): Shared[] {
  const byAddress = new Map<string, string[]>();
  for (const { server, address } of checked) {
    if (address === undefined) continue;
    const names = byAddress.get(textOf(address)) ?? [];
    byAddress.set(textOf(address), [...names, server.name]);
  }
  return [...byAddress]
    .filter(([, names]) => names.length > 1)
    .map(([address, names]) => ({ address, names }));
}

function sharedAddress({ address, names }: Shared): Finding {
  return finding(
    'info',
    'nameservers-share-address',
    `The nameservers ${names.join(' ')} were queried at one address (${address}): an answer of one does not show that the others answer.`,
    'An operator can configure a separate address for each nameserver (DNS_API_CHECK_NAMESERVERS).',
  );
}

interface Asked {
  readonly name: string;
  readonly address: DnsAddress | undefined;
  readonly answer: DnsAnswer | undefined;
  /** Whether another nameserver responds correctly. */
  readonly isAnyGood: boolean;
}

function judge(examination: Examination, { name, address, answer, isAnyGood }: Asked): Finding[] {
  const severity = isAnyGood ? 'warning' : 'error';
  if (address === undefined) {
    return [
      finding(
        severity,
        'nameserver-without-address',
        `The nameserver ${name} has no address.`,
        OPERATOR,
      ),
    ];
  }
  if (answer === undefined) {
    const message = `The nameserver ${name} did not answer; resolvers that query it lose time.`;
    return [finding(severity, 'nameserver-silent', message, OPERATOR)];
  }
  // Such a domain has a finding about its primaries.
  if (answer.rcode === 'SERVFAIL' && examination.secondary?.state === 'withheld') return [];
  const soa = soaOf(answer);
  if (answer.rcode !== 'NOERROR' || !answer.isAuthoritative || soa === undefined) {
    const message = `The nameserver ${name} does not answer for the domain (${answer.rcode}).`;
    return [finding(severity, 'nameserver-lacks-domain', message, OPERATOR)];
  }
  return judgeSerial(examination, name, soa.serial);
}

/** Compares serials; the SOA of a secondary zone is that of its primary. */
function judgeSerial({ zone, secondary }: Examination, name: string, answered: number): Finding[] {
  const serial = secondary === undefined ? zone.serial : (secondary.serial ?? answered);
  if (compareSerials(answered, serial) >= 0) return [];
  const message = `The nameserver ${name} answers with serial ${answered}; the domain has ${serial}.`;
  return [
    finding(
      'warning',
      'nameserver-behind',
      message,
      `Wait a few seconds and check again; GET changes/${zone.serial} shows when it has caught up.`,
    ),
  ];
}
