import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Address and port at which to ask a nameserver. */
export interface DnsTarget {
  /** An address, never a name. */
  readonly address: string;
  readonly port: number;
}

/** @param text host:port, [IPv6]:port; the host may be a name, the port is 53 if absent */
export async function resolveTarget(text: string): Promise<DnsTarget> {
  const [, host = '', port = '53'] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(text) ?? [];
  const address = isIP(host) === 0 ? (await lookup(host)).address : host;
  return { address, port: Number(port) };
}
