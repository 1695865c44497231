import { dnskeyToWire } from '@zonewright/dns-records/dnssec';
import type { ZoneDnssec } from '@zonewright/zones';

const HEAD_OCTETS = 4;
/** Request to the parent by CDS and CDNSKEY. */
const CDS = {
  ...{ unsigned: null, signing: null, signed: 'publish' },
  ...{ leaving: 'delete', unsigning: 'delete' },
} as const;

/** How a domain is signed, DS and DNSKEY in the form of zone files. */
export function renderDnssec({
  state,
  algorithm,
  keys,
  foreignKeys,
  ds,
  dnskeys,
  isCatchingUp,
  parent,
  dsFrom,
  missing,
}: ZoneDnssec): Record<string, unknown> {
  return {
    enabled: state !== undefined,
    state: state ?? 'unsigned',
    algorithm: algorithm ?? null,
    catching_up: isCatchingUp,
    ds: ds.map(renderDs),
    dnskey: dnskeys.map(renderDnskey),
    cds: state === 'signed' && dsFrom !== undefined ? 'wait' : CDS[state ?? 'unsigned'],
    ds_from: dsFrom === undefined ? null : renderTime(dsFrom),
    keys: keys.map((key) => ({
      key_tag: key.keyTag,
      algorithm: key.algorithm,
      state: key.state,
      published_at: renderTime(key.publishedAt),
    })),
    foreign_keys: foreignKeys.map((key) => ({
      dnskey: renderDnskey(dnskeyToWire(key)),
      key_tag: key.keyTag,
      state: key.state,
    })),
    parent: parent
      ? {
          checked_at: renderTime(parent.checkedAt),
          agreed: parent.agreed,
          ds: parent.ds.map(renderDs),
        }
      : null,
    missing: missing ?? null,
  };
}

function renderDs({ keyTag, algorithm, digestType, digest }: ZoneDnssec['ds'][number]): string {
  return `${keyTag} ${algorithm} ${digestType} ${digest.toUpperCase()}`;
}

function renderDnskey(rdata: Uint8Array): string {
  const octets = Buffer.from(rdata);
  const [protocol = 0, algorithm = 0] = octets.subarray(2);
  return `${octets.readUInt16BE(0)} ${protocol} ${algorithm} ${octets.toString('base64', HEAD_OCTETS)}`;
}

function renderTime(time: Date): string {
  return time.toISOString().replace(/Z$/, '000');
}
