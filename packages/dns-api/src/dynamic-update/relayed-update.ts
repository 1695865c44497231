import { invalidRequest } from '@zonewright/service-kit';
import { isIP } from 'node:net';
import { checkMembers } from '../http/members.js';

/** A message that a nameserver was sent. */
export interface RelayedUpdate {
  readonly octets: Buffer;
  /** The address that it came from, as far as the nameserver knows. */
  readonly source: string;
  readonly transport: 'udp' | 'tcp';
}

/** @throws ServiceError `invalid` */
export function readRelayedUpdate(body: unknown): RelayedUpdate {
  const { values, problems } = checkMembers(body, ['message', 'source', 'transport']);
  const { message, source, transport } = values;
  const isTransport = transport === 'udp' || transport === 'tcp';
  if (problems.length === 0 && typeof message === 'string' && isTransport) {
    if (typeof source === 'string' && isIP(source) !== 0)
      return { octets: Buffer.from(message, 'base64'), source, transport };
  }
  const sentence = 'An update has message (base64), source (an address) and transport (udp, tcp).';
  throw invalidRequest([...problems, { path: '', validator: 'type', message: sentence }]);
}
