import { isAtOrBelow } from '@zonewright/dns-records';
import { askDns, dataOf, type DnsAddress } from './ask-dns.js';
import { listDelegations } from './doctor-store.js';
import type { Examination } from './examination.js';
import { finding, type Finding } from './finding.js';

/** The addresses of nameservers, without which a delegation leads nowhere (RFC 9471). */
export async function checkGlue(examination: Examination): Promise<Finding[]> {
  const [own, children] = await Promise.all([
    checkServerAddresses(examination),
    checkChildren(examination),
  ]);
  return [...own, ...children];
}

async function checkServerAddresses({ servers, resolver }: Examination): Promise<Finding[]> {
  if (resolver === undefined) return [];
  const addresses = servers.flatMap(({ name, ipv4, ipv6 }) => [
    ...(ipv4 === null ? [] : [{ name, type: 'A' as const, address: ipv4 }]),
    ...(ipv6 === null ? [] : [{ name, type: 'AAAA' as const, address: ipv6 }]),
  ]);
  const found = await Promise.all(addresses.map((each) => checkAddress(resolver, each)));
  return found.flat();
}

async function checkAddress(
  resolver: DnsAddress,
  { name, type, address }: { name: string; type: 'A' | 'AAAA'; address: string },
): Promise<Finding[]> {
  const answer = await askDns(resolver, name, type, { recursive: true });
  if (answer === undefined || dataOf(answer, type).includes(address)) return [];
  return [
    finding(
      'warning',
      'nameserver-address-unknown',
      `Resolvers do not find the address ${address} of the nameserver ${name}.`,
      'Tell the operator of this service: the parent of the nameserver domain needs this address as glue.',
    ),
  ];
}

/** Delegations within the domain to nameservers that stand below the delegation itself. */
async function checkChildren({ db, zone }: Examination): Promise<Finding[]> {
  const delegations = await listDelegations(db, zone.id, zone.name);
  return delegations
    .filter(({ name, target, hasAddress }) => isAtOrBelow(target, name) && !hasAddress)
    .map(({ name, target }) =>
      finding(
        'error',
        'glue-missing',
        `${name} is delegated to ${target}, which lies in it and has no address here: nobody can reach it.`,
        `Create an A or AAAA record for ${target} in this domain.`,
      ),
    );
}
