// Estimates the memory of a nameserver with a million zones, from zones with 5, 20 and 100 records each.
const nameserver = (path) => import(`../../packages/nameserver/dist/${path}`);
const { nameToWire, parseZoneText, typeNumber } =
  await import('../../packages/dns-records/dist/index.js');
const { compileZone } = await nameserver('compile/compile-zone.js');
const { ImageWriter } = await nameserver('image/image-writer.js');

const ZONES = Number(process.env.BENCH_ZONES ?? 10_000);
const IMAGE_OCTETS = 2 ** 31;

function zoneText(name, addresses) {
  const hosts = Array.from(
    { length: addresses },
    (_, index) => `h${index} 300 IN A 192.0.2.${index % 250}`,
  );
  return [
    `$ORIGIN ${name}.`,
    '@ 300 IN SOA ns1-1.ns.example. hostmaster.ns.example. 1 14400 3600 1209600 300',
    ...[1, 2, 3, 4, 5, 6].map((n) => `@ 300 IN NS ns1-${n}.ns.example.`),
    ...hosts,
  ].join('\n');
}

function build(records) {
  const image = ImageWriter.create(IMAGE_OCTETS);
  const started = process.cpuUsage();
  for (let index = 0; index < ZONES; index++) {
    const name = `zone${index}.example`;
    const parsed = parseZoneText(`${zoneText(name, records)}\n`, { origin: `${name}.` });
    image.put(
      compileZone({
        apex: nameToWire(`${name}.`),
        serial: 1,
        records: parsed.records.map(({ ownerName, type, ttl, rdata }) => ({
          owner: nameToWire(ownerName),
          type: typeNumber(type),
          ttl,
          rdata,
        })),
      }),
    );
  }
  const { user, system } = process.cpuUsage(started);
  return { octets: image.usedOctets / ZONES, microseconds: (user + system) / ZONES };
}

console.log(
  `${ZONES} zones, each with SOA and six NS and as many addresses as the first column says`,
);
console.log(
  '| addresses | octets a zone | GB for 1,000,000 zones | CPU to read and build a zone, us |',
);
console.log('| --- | --- | --- | --- |');
for (const records of [5, 20, 100]) {
  const { octets, microseconds } = build(records);
  const cells = [records, octets.toFixed(0), (octets / 1000).toFixed(1), microseconds.toFixed(0)];
  console.log(`| ${cells.join(' | ')} |`);
}
