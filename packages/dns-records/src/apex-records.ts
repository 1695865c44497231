import { emailToMailboxName } from './names/mailbox-name.js';

/** Values that determine the records that the service provides at the apex of a zone. */
export interface ApexContent {
  readonly email: string;
  readonly serial: number;
  /** In order; the first is MNAME. */
  readonly servers: readonly string[];
  readonly soa: {
    readonly refreshSeconds: number;
    readonly retrySeconds: number;
    readonly expireSeconds: number;
    readonly minimumSeconds: number;
  };
}

/** RFC 1035 has no notation for "no primary"; other servers use the root. */
const NO_SERVER = '.';

/** SOA, and NS for each server (D-NS), as text. */
export function apexRecords({
  email,
  serial,
  servers,
  soa,
}: ApexContent): { type: 'SOA' | 'NS'; data: string }[] {
  const fields = [
    servers[0] ?? NO_SERVER,
    emailToMailboxName(email),
    serial,
    soa.refreshSeconds,
    soa.retrySeconds,
    soa.expireSeconds,
    soa.minimumSeconds,
  ];
  return [
    { type: 'SOA', data: fields.join(' ') },
    ...servers.map((name) => ({ type: 'NS' as const, data: name })),
  ];
}
