// Zones in which every part of an answer shows its version, and a check that an answer has only one version, and a
// valid one. This file is plain JavaScript that uses the compiled code, because threads and the benchmark run it
// directly.
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';

const HOSTS = 4;
/**
 * The maximum number of TXT records at `many`. Their number and length change between versions, and so does the size of
 * the block.
 */
const MAX_TEXTS = 6;
const APEX_SUFFIX = 'torn.example.';
export const VERSIONS = { BEGUN: 0, DONE: 1, WORDS: 2 };

const apexOf = (zone) => `z${zone}.${APEX_SUFFIX}`;
const textsOf = (version) => 1 + (version % MAX_TEXTS);
/** Returns an address that contains the zone (8 bits) and the version (24 bits). */
const address = (zone, version) =>
  Uint8Array.of(zone & 0xff, (version >> 16) & 0xff, (version >> 8) & 0xff, version & 0xff);

/** Returns all records of a zone's version; `fill` more names make the zone a large one. */
export function contentOf(zone, zones, version, fill = 0) {
  const apex = nameToWire(apexOf(zone));
  const at = (label) => nameToWire(`${label}.${apexOf(zone)}`);
  const text = `${version} `.padEnd(20 + (version % 200), 'x');
  const records = [
    soa(apex, zone, version),
    { owner: apex, type: RR_TYPE.NS, ttl: 60, rdata: at('h0') },
    // The additional data comes from this zone and from the next one; each must belong to one version of its zone.
    mail(apex, 10, at('h1')),
    mail(apex, 20, nameToWire(`h2.${apexOf((zone + 1) % zones)}`)),
  ];
  for (let i = 0; i < HOSTS; i++) records.push(host(at(`h${i}`), zone, version));
  for (let i = 0; i < textsOf(version); i++) {
    const rdata = rdataToWire('TXT', `"${i} ${text}"`, null);
    records.push({ owner: at('many'), type: RR_TYPE.TXT, ttl: 60, rdata });
  }
  // These names exist only in every second version.
  if (version % 2 === 1) records.push(host(at('odd.below'), zone, version));
  for (let i = 0; i < fill; i++) records.push(host(at(`fill${i}`), zone, 0));
  return { apex, serial: version, records };
}

/** Returns the names whose records differ between two versions of a zone. */
export function changedOwners(zone) {
  const labels = ['many', 'odd.below', ...Array.from({ length: HOSTS }, (_, i) => `h${i}`)];
  return [apexOf(zone), ...labels.map((label) => `${label}.${apexOf(zone)}`)].map(nameToWire);
}

function soa(owner, zone, version) {
  const data = `h0.${apexOf(zone)} admin.${apexOf(zone)} ${version} 1 2 3 60`;
  return { owner, type: RR_TYPE.SOA, ttl: 60, rdata: rdataToWire('SOA', data, null) };
}

const host = (owner, zone, version) => ({
  owner,
  type: RR_TYPE.A,
  ttl: 60,
  rdata: address(zone, version),
});

function mail(owner, preference, exchange) {
  const rdata = Uint8Array.of(0, preference, ...exchange);
  return { owner, type: RR_TYPE.MX, ttl: 60, rdata };
}

/** Returns the questions about a zone. */
export function questionsOf(zone) {
  const ask = (name, type, exists) => ({ zone, type, exists, octets: queryFor(name, type) });
  return [
    ask(`h3.${apexOf(zone)}`, RR_TYPE.A, () => true),
    ask(`many.${apexOf(zone)}`, RR_TYPE.TXT, () => true),
    ask(apexOf(zone), RR_TYPE.MX, () => true),
    ask(`missing.${apexOf(zone)}`, RR_TYPE.A, () => false),
    ask(`odd.below.${apexOf(zone)}`, RR_TYPE.A, (version) => version % 2 === 1),
  ];
}

function queryFor(name, type) {
  const header = Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  const opt = Uint8Array.of(0, 0, 41, 0x10, 0, 0, 0, 0, 0, 0, 0);
  return Buffer.concat([header, nameToWire(name), Uint8Array.of(0, type, 0, 1), opt]);
}

/**
 * Returns the fault of an answer, or undefined. `oldest` and `newest` return the limits for the version of a zone: the
 * version that was complete when the question was sent, and the one that was begun when the answer arrived.
 */
export function faultOf(question, answer, zones, oldest, newest) {
  const seen = readAnswer(answer);
  const next = (question.zone + 1) % zones;
  const own = seen.versions.get(question.zone & 0xff) ?? new Set();
  for (const [zone, versions] of seen.versions) {
    if (versions.size !== 1) return `versions ${[...versions]} of a zone in one answer`;
    const [version] = versions;
    const number = [question.zone, next].find((each) => (each & 0xff) === zone);
    if (number === undefined) return `an address of the strange zone ${zone}`;
    if (version < oldest(number) || version > newest(number)) {
      return `version ${version}, not ${oldest(number)} to ${newest(number)}`;
    }
  }
  const [version] = own;
  if (version === undefined) return 'no version';
  return faultOfShape(question, seen, version);
}

function faultOfShape({ type, exists }, { rcode, counts }, version) {
  const isMissing = !exists(version);
  if ((rcode === 3) !== isMissing) return `rcode ${rcode} in version ${version}`;
  const expected = isMissing ? 0 : { 1: 1, 16: textsOf(version), 15: 2 }[type];
  return counts[0] === expected ? undefined : `${counts[0]} records in version ${version}`;
}

/** Returns the versions that the answer shows by zone, its rcode, and the numbers of its records. */
function readAnswer(answer) {
  const counts = [6, 8, 10].map((at) => answer.readUInt16BE(at));
  const versions = new Map();
  const zone = Number(/^z(\d+)$/.exec(labelBeforeSuffix(answer))?.[1]) & 0xff;
  const show = (of, version) => {
    versions.set(of, (versions.get(of) ?? new Set()).add(version));
  };
  let at = skipName(answer, 12) + 4;
  for (let left = counts[0] + counts[1] + counts[2]; left > 0; left--) {
    const fixed = skipName(answer, at);
    const start = fixed + 10;
    const end = start + answer.readUInt16BE(fixed + 8);
    const type = answer.readUInt16BE(fixed);
    if (type === RR_TYPE.A) show(answer[start], answer.readUIntBE(start + 1, 3));
    if (type === RR_TYPE.SOA) show(zone, answer.readUInt32BE(end - 20));
    if (type === RR_TYPE.TXT) {
      show(zone, Number(answer.toString('latin1', start + 1, end).split(' ')[1]));
    }
    at = end;
  }
  if (at !== answer.length) throw new Error('The answer does not end where it should.');
  return { versions, counts, rcode: answer[3] & 15 };
}

/** Returns the question's label that identifies the zone. */
function labelBeforeSuffix(answer) {
  const labels = [];
  for (let at = 12; answer[at] !== 0; at += answer[at] + 1) {
    labels.push(answer.toString('latin1', at + 1, at + 1 + answer[at]));
  }
  return labels.at(-3);
}

function skipName(message, start) {
  let at = start;
  while (message[at] !== 0 && message[at] < 0xc0) at += message[at] + 1;
  return message[at] === 0 ? at + 1 : at + 2;
}
