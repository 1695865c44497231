import { isAtOrBelow } from '@zonewright/dns-records';
import type { DnsAddress } from '../settings/address-settings.js';
import { queryDns, dataOf } from './ask-dns.js';
import { listDelegations } from '@zonewright/zones';
import type { Examination } from './examination.js';
import { finding, type Finding } from './finding.js';
import { joinResults, type PartResult } from './parts.js';

const ADDRESSES_NOT_CHECKED: PartResult = { findings: [], notChecked: ['nameserver-addresses'] };

/** The addresses of nameservers, without which a delegation leads nowhere (RFC 9471). */
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
