// Signs the zones of the benchmark, which have no zone cuts and no wildcards, as the signer would: algorithm 13, NSEC. Or as
// primaries should that use NSEC3: without iterations and salt (RFC 9276 s3.1).
import { createHash } from 'node:crypto';

const DAY_SECONDS = 86_400;
const NSEC_TTL = 300;
const ALGORITHM = 13;

const BASE32HEX = '0123456789abcdefghijklmnopqrstuv';
/** Rdata of NSEC3PARAM: SHA-1, no iterations, no salt. */
const NSEC3_PARAMETERS = Buffer.from([1, 0, 0, 0, 0]);

/** Returns the zones with `records`, their text for all servers, and the number of their names. */
export async function signZones(zones, { isHashed = false } = {}) {
  const dns = await import('../../packages/dns-records/dist/index.js');
  const dnssec = await import('../../packages/dns-records/dist/dnssec/index.js');
  const { privateKey, publicKey } = dnssec.generateSigningKey(ALGORITHM);
  const key = { flags: dnssec.CSK_FLAGS, algorithm: ALGORITHM, publicKey };
  const keyTag = dnssec.keyTagOf(key);
  const now = Math.floor(Date.now() / 1_000);
  return zones.map(signOne);

  function signOne({ name, text }) {
    const apex = dns.nameToWire(`${name}.`);
    const terms = {
      ...{ algorithm: ALGORITHM, keyTag, signerName: apex },
      inception: now - 3_600,
      expiration: now + 21 * DAY_SECONDS,
    };
    const nodes = new Map();
    const add = (owner, type, ttl, rdata) => {
      const id = dnssec.canonicalKey(owner, apex);
      if (!nodes.has(id)) nodes.set(id, { owner, rrsets: new Map() });
      const { rrsets } = nodes.get(id);
      if (!rrsets.has(type)) rrsets.set(type, { type, ttl, rdatas: [] });
      rrsets.get(type).rdatas.push(rdata);
    };
    for (const record of dns.parseZoneText(text, { origin: `${name}.` }).records) {
      const { ownerName, type, ttl, rdata } = record;
      add(dns.nameToWire(ownerName), dns.typeNumber(type), ttl, rdata);
    }
    add(apex, dns.RR_TYPE.DNSKEY, 3_600, dnssec.dnskeyToWire(key));
    if (isHashed) add(apex, dns.RR_TYPE.NSEC3PARAM, 0, NSEC3_PARAMETERS);
    const chain = isHashed ? addHashes(apex, nodes) : addNsec(nodes);
    const records = [];
    for (const { owner, rrsets } of chain) {
      for (const rrset of rrsets.values()) {
        const head = dnssec.rrsigHead(owner, rrset, terms);
        const octets = dnssec.octetsToSign(head, owner, rrset);
        const rrsig = Buffer.concat([head, dnssec.signOctets(ALGORITHM, privateKey, octets)]);
        for (const rdata of rrset.rdatas)
          records.push({ owner, type: rrset.type, ttl: rrset.ttl, rdata });
        records.push({ owner, type: dns.RR_TYPE.RRSIG, ttl: rrset.ttl, rdata: rrsig });
      }
    }
    return { name, records, names: nodes.size, isForeign: isHashed, text: toText(dns, records) };
  }

  /** Adds NSEC. Returns the nodes. */
  function addNsec(nodes) {
    const chain = [...nodes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, node]) => node);
    for (const [place, { rrsets }] of chain.entries()) {
      const types = [...rrsets.keys(), dns.RR_TYPE.RRSIG, dns.RR_TYPE.NSEC];
      const next = chain[(place + 1) % chain.length].owner;
      const nsec = dnssec.nsecToWire({ next, types });
      rrsets.set(dns.RR_TYPE.NSEC, { type: dns.RR_TYPE.NSEC, ttl: NSEC_TTL, rdatas: [nsec] });
    }
    return chain;
  }

  /** Returns the nodes and those of NSEC3 (RFC 5155 s7.1). */
  function addHashes(apex, nodes) {
    const hashed = [...nodes.values()]
      .map(({ owner, rrsets }) => ({ hash: createHash('sha1').update(owner).digest(), rrsets }))
      .sort((a, b) => Buffer.compare(a.hash, b.hash));
    const hashes = hashed.map(({ hash, rrsets }, place) => {
      const { hash: next } = hashed[(place + 1) % hashed.length];
      const types = [...rrsets.keys(), dns.RR_TYPE.RRSIG];
      // Without a next name, only the bitmap of the types is left.
      const bitmap = dnssec.nsecToWire({ next: new Uint8Array(), types });
      const rdata = Buffer.concat([NSEC3_PARAMETERS, Buffer.of(next.length), next, bitmap]);
      const owner = Buffer.concat([Buffer.of(32), Buffer.from(toBase32(hash)), apex]);
      const { NSEC3: type } = dns.RR_TYPE;
      return { owner, rrsets: new Map([[type, { type, ttl: NSEC_TTL, rdatas: [rdata] }]]) };
    });
    return [...nodes.values(), ...hashes];
  }
}

/** Writes types by number and rdata in generic form (RFC 3597 s5). */
function toText(dns, records) {
  return records
    .map(({ owner, type, ttl, rdata }) => {
      const hex = Buffer.from(rdata).toString('hex');
      return `${dns.wireToName(owner)} ${ttl} IN TYPE${type} \\# ${rdata.length} ${hex}\n`;
    })
    .join('');
}

function toBase32(octets) {
  const bits = [...octets].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => BASE32HEX[parseInt(five, 2)]);
}
