import { randomInt } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import dnsPacket from 'dns-packet';
import { type DnsAddress, exchangeOverUdp } from '@zonewright/service-kit';

const TIMEOUT_MS = 1_000;

/**
 * Returns the name of a nameserver (id.server in class CHAOS, RFC 4892). node:dns supports only class IN.
 * @returns undefined if the nameserver does not report its name or does not respond
 */
export async function queryServerId(server: DnsAddress): Promise<string | undefined> {
  const id = randomInt(65_536);
  const query = dnsPacket.encode({
    type: 'query',
    id,
    questions: [{ name: 'id.server', type: 'TXT', class: 'CH' }],
  });
  const read = (octets: Buffer) => readText(octets, id);
  return await exchangeOverUdp(server, { query, read, ms: TIMEOUT_MS });
}

function readText(octets: Buffer, id: number): string | undefined {
  try {
    const { id: answered, answers = [] } = dnsPacket.decode(octets);
    const [answer] = answers;
    if (answered !== id || answer?.type !== 'TXT') return undefined;
    return [answer.data].flat().map(String).join('');
  } catch {
    // A message that cannot be decoded is not a response.
    return undefined;
  }
}

const TRIES = 2;

/** Asks one nameserver over UDP for the serials in SOA records. */
export class SerialAsker {
  readonly #resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  /** @param server has an address, never a name */
  constructor({ host, port }: DnsAddress) {
    this.#resolver.setServers([isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`]);
  }

  /** @throws Error with a code of node:dns, such as ETIMEOUT, ECONNREFUSED, ENOTFOUND or EREFUSED */
  async ask(zone: string): Promise<number> {
    return (await this.#resolver.resolveSoa(zone.replace(/\.$/, ''))).serial;
  }
}

/** Remedies by the code of node:dns. Most codes are responses, so firewalls are not the cause. */
const REMEDIES: Readonly<Record<string, string>> = {
  EREFUSED:
    'It answers, but does not have the domain (REFUSED). Check in its log and /readyz whether it follows this database, and check that the address belongs to this nameserver.',
  ESERVFAIL:
    'It answers, but cannot read the domain (SERVFAIL): it has no zones yet, or the domain could not be loaded. Check its log and /readyz.',
  ENOTFOUND:
    'It answers that the name does not exist. Check that the address belongs to this nameserver.',
  ENODATA: 'It answers without an SOA record. Check that the address belongs to this nameserver.',
  ECONNREFUSED:
    'Nothing listens at this address. Check that its process is running and on which address it listens; DOCTOR_NAMESERVERS sets the address to query.',
};

const NO_ANSWER =
  'Check the firewalls between this machine and the nameserver for UDP and TCP, and whether it listens on this address; DOCTOR_NAMESERVERS sets the address to query.';

/** Returns the remedy for a nameserver that did not return an SOA record. */
export function explainNoAnswer(code: string | undefined): string {
  return REMEDIES[code ?? ''] ?? NO_ANSWER;
}

/** @param text host:port or [IPv6]:port; the host may be a name, the default port is 53 */
export async function resolveTarget(text: string): Promise<DnsAddress> {
  const [, host = '', port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(text) ?? [];
  const address = isIP(host) === 0 ? (await lookup(host)).address : host;
  return { host: address, port: Number(port) };
}
