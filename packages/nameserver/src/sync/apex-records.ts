import { emailToMailboxName, nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import type { FeedServers } from '@zonewright/database';
import type { ZoneRecord } from '../image/zone-content.js';

/** The times that stand in every SOA (RFC 1035 s3.3.13). */
export interface SoaTimes {
  readonly refreshSeconds: number;
  readonly retrySeconds: number;
  readonly expireSeconds: number;
  readonly minimumSeconds: number;
}

interface ApexOptions {
  readonly apex: Uint8Array;
  readonly email: string;
  readonly serial: number;
  readonly ttl: number;
  readonly servers: FeedServers['servers'];
  readonly times: SoaTimes;
}

/** RFC 1035 has no form for "no primary"; the root is what others write. */
const NO_SERVER = '.';

/** The records that the service provides at the apex of each zone: SOA, and NS for all servers (decisions 4). */
export function buildApexRecords(options: ApexOptions): ZoneRecord[] {
  const { apex, ttl, servers } = options;
  return [
    { owner: apex, type: RR_TYPE.SOA, ttl, rdata: soaRdata(options) },
    ...servers.map(({ name }) => ({ owner: apex, type: RR_TYPE.NS, ttl, rdata: nameToWire(name) })),
  ];
}

function soaRdata({ email, serial, servers, times }: ApexOptions): Uint8Array {
  const fields = [
    servers[0]?.name ?? NO_SERVER,
    emailToMailboxName(email),
    serial,
    times.refreshSeconds,
    times.retrySeconds,
    times.expireSeconds,
    times.minimumSeconds,
  ];
  return rdataToWire('SOA', fields.join(' '), null);
}
