// Writes a snapshot of the benchmark's zones, as a nameserver does after reading them from PostgreSQL.
import { join } from 'node:path';

const nameserver = (path) => import(`../../packages/nameserver/dist/${path}`);
const IMAGE_OCTETS = 2_147_483_648;

export async function writeZonewrightSnapshot(folder, zones) {
  const records = await import('../../packages/dns-records/dist/index.js');
  const { compileZone } = await nameserver('compile/compile-zone.js');
  const { ImageWriter } = await nameserver('image/image-writer.js');
  const { ImageCapture } = await nameserver('image/image-capture.js');
  const { writeSnapshot } = await nameserver('snapshot/write-snapshot.js');
  const image = ImageWriter.create(IMAGE_OCTETS);
  for (const { name, text, records: signed, isForeign } of zones) {
    if (signed !== undefined) {
      const apex = records.nameToWire(`${name}.`);
      image.put(compileZone({ apex, serial: 1, records: signed, isSigned: true, isForeign }));
      continue;
    }
    const parsed = records.parseZoneText(text, { origin: `${name}.` });
    const toRecord = ({ ownerName, type, ttl, rdata }) => ({
      owner: records.nameToWire(ownerName),
      type: records.typeNumber(type),
      ttl,
      rdata,
    });
    const apex = records.nameToWire(`${name}.`);
    image.put(compileZone({ apex, serial: 1, records: parsed.records.map(toRecord) }));
  }
  const now = Date.now();
  const content = {
    position: '0',
    servers: { servers: [] },
    sharedZoneSerial: null,
    environment: {},
    readAt: now,
    writerStartedAt: now,
  };
  const capture = new ImageCapture(image.buffer);
  const path = join(folder, 'zones.snapshot');
  await writeSnapshot(path, content, capture, new AbortController().signal);
  capture.release();
}
