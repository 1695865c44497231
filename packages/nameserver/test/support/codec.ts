import dnsPacket, { type Answer, type DecodedPacket } from 'dns-packet';

/**
 * A response as dns-packet reads it, independently of this server's code. Names may contain only plain letters:
 * dns-packet neither escapes dots inside labels nor keeps the trailing dot, and reads unknown types as octets.
 */
export interface PlainMessage {
  readonly rcode: string;
  readonly isAuthoritative: boolean;
  readonly isTruncated: boolean;
  /** The records as `owner ttl type rdata`, in lower case, with names without the trailing dot. */
  readonly answers: readonly string[];
  readonly authorities: readonly string[];
  /** The additional records without OPT. */
  readonly additionals: readonly string[];
}

export function decodePlainly(octets: Buffer): PlainMessage {
  const packet = dnsPacket.decode(octets) as DecodedPacket & { readonly rcode: string };
  return {
    rcode: packet.rcode,
    isAuthoritative: packet.flag_aa,
    isTruncated: packet.flag_tc,
    answers: toLines(packet.answers),
    authorities: toLines(packet.authorities),
    additionals: toLines(packet.additionals),
  };
}

function toLines(records: readonly Answer[] | undefined): string[] {
  return (records ?? [])
    .filter((record) => record.type !== 'OPT')
    .map((record) => toLine(record).toLowerCase())
    .toSorted();
}

function toLine(record: Exclude<Answer, { type: 'OPT' }>): string {
  return `${withoutRootDot(record.name)} ${record.ttl ?? 0} ${record.type} ${dataOf(record)}`;
}

/** dns-packet writes the root as '.', all other names without a dot at the end. */
function withoutRootDot(name: string): string {
  return name === '.' ? '' : name;
}

function dataOf(record: Answer): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.data;
    case 'NS':
    case 'CNAME':
      return withoutRootDot(record.data);
    case 'MX':
      return joined(record.data.preference, withoutRootDot(record.data.exchange));
    case 'SRV': {
      const { priority, weight, port, target } = record.data;
      return joined(priority, weight, port, withoutRootDot(target));
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return joined(mname, rname, serial, refresh, retry, expire, minimum);
    }
    case 'TXT':
      return Buffer.concat([record.data].flat().map((text) => Buffer.from(text))).toString();
    default:
      throw new Error(`There is no ${record.type} in these tests.`);
  }
}

function joined(...fields: readonly unknown[]): string {
  return fields.join(' ');
}
