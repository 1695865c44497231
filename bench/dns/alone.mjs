// Measures answers without sockets: microseconds of CPU time per query, alternating between several builds.
//   node bench/dns/alone.mjs [--zones 10000] [--rounds 40] [--fill OCTETS] [--image OCTETS] DIST ...
// DIST is a folder like packages/nameserver/dist. `--fill`: size of other zones before these in the image, to see the
// cost of a large image. All builds run in one process, for a tenth of a second each in turn. On a shared machine the
// minimum is the most useful value.
import { randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { summarize } from '../lib/rounds.mjs';

const { nameToWire, parseZoneText, typeNumber } =
  await import('../../packages/dns-records/dist/index.js');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    zones: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '40' },
    fill: { type: 'string', default: '0' },
    image: { type: 'string', default: String(2 ** 31) },
  },
});
const ZONES = Number(values.zones);
const QUESTIONS = 50_000;
const FILLER_OCTETS = 60_000;
const OUTPUT_OCTETS = 65_535;
const OWNERS = {
  found: () => `h${randomInt(20)}`,
  missing: () => `m${randomInt(1_000_000)}`,
  CNAME: () => 'a',
};

const contexts = [];
for (const dist of positionals) contexts.push(await prepare(dist));
console.log('| build | questions | CPU a query, us: least | median |\n| --- | --- | --- | --- |');
for (const [kind, owner] of Object.entries(OWNERS)) {
  const queries = Array.from({ length: QUESTIONS }, () =>
    query(nameToWire(`${owner()}.zone${randomInt(ZONES)}.example.`)),
  );
  const results = contexts.map(() => []);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [index, ask] of contexts.entries()) results[index].push(ask(queries));
  }
  for (const [index, dist] of positionals.entries()) {
    const { min, median } = summarize(results[index]);
    const cells = [min, median];
    console.log(`| ${dist} | ${kind} | ${cells.map((cell) => cell.toFixed(3)).join(' | ')} |`);
  }
}

async function prepare(dist) {
  const nameserver = (path) => import(`${pathToFileURL(dist).href}/${path}`);
  const { compileZone } = await nameserver('image/compile-zone.js');
  const { ImageWriter } = await nameserver('image/image-writer.js');
  const { ImageReader } = await nameserver('image/image-reader.js');
  const { IMAGE_STATE } = await nameserver('image/layout.js');
  const { handleQuery } = await nameserver('answer/handle-query.js');
  const { QueryContext, TRANSPORT } = await nameserver('answer/query-context.js');
  const image = ImageWriter.create(Number(values.image));
  const filler = { type: typeNumber('TYPE65280'), ttl: 1, rdata: new Uint8Array(FILLER_OCTETS) };
  for (let index = 0; image.usedOctets < Number(values.fill); index++) {
    image.put(compileZone(zoneOf(`fill${index}.test.`, [], [filler])));
  }
  const hosts = Array.from({ length: 20 }, (_, host) => `h${host} A 192.0.2.${host}`);
  for (let index = 0; index < ZONES; index++) {
    image.put(compileZone(zoneOf(`zone${index}.example.`, [...hosts, 'a CNAME h1'])));
  }
  image.setState(IMAGE_STATE.CURRENT);
  const context = new QueryContext(new ImageReader(image.buffer, 0), {
    nsid: Buffer.from('ns1-1'),
    versionText: 'bench',
    serverIdText: 'ns1-1',
    cookieSecrets: [Buffer.alloc(16, 1)],
    maxUdpPayloadOctets: 1_232,
    tcpIdleTimeoutDeciseconds: 100,
  });
  context.output = new Uint8Array(OUTPUT_OCTETS);
  context.outputCapacity = OUTPUT_OCTETS;
  context.transport = TRANSPORT.UDP;
  return (queries) => {
    const before = process.cpuUsage();
    for (const input of queries) {
      context.input = input;
      context.inputLength = input.length;
      if (handleQuery(context) === 0) throw new Error('There is no answer.');
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / queries.length;
  };
}

function zoneOf(origin, lines, more = []) {
  const text = [
    '$TTL 300',
    '@ SOA ns1.ns.example. hostmaster.ns.example. 1 14400 3600 1209600 300',
    '@ NS ns1.ns.example.',
    ...lines,
  ].join('\n');
  const records = parseZoneText(`${text}\n`, { origin }).records.map((record) => ({
    owner: nameToWire(record.ownerName),
    type: typeNumber(record.type),
    ttl: record.ttl,
    rdata: record.rdata,
  }));
  for (const record of more) records.push({ owner: nameToWire(origin), ...record });
  return { apex: nameToWire(origin), serial: 1, records };
}

function query(name) {
  const header = Buffer.from([1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  const opt = Buffer.from([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, name, Buffer.from([0, 1, 0, 1]), opt]);
}
