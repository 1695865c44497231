// Runs a nameserver's TCP with one zone and one peer, without a database.
import { nameToWire, rdataToWire, RR_TYPE } from '../../packages/dns-records/dist/index.js';
import { createLogger, readSettings, systemClock } from '../../packages/service-kit/dist/index.js';

const part = (path) => import(new URL(`../../packages/nameserver/dist/${path}`, import.meta.url));
const [{ handleQuery }, { createTransports }, { compileZone }, { ImageWriter }, { IMAGE_STATE }] =
  await Promise.all(
    [
      'answer/handle-query.js',
      'create-transports.js',
      'compile/compile-zone.js',
      'image/image-writer.js',
      'image/layout.js',
    ].map(part),
  );
const [{ NAMESERVER_SETTINGS }, { createTransportCounters }, { createTransferCounters }] =
  await Promise.all(
    ['settings/settings.js', 'stats/transport-counters.js', 'stats/transfer-counters.js'].map(part),
  );
const [{ Transfers }, { TransferPlaces }, { DifferenceLog }] = await Promise.all(
  ['transfer/transfers.js', 'transfer/places.js', 'transfer/difference-log.js'].map(part),
);

const [port, records, zone, secret] = process.argv.slice(2);
const key = { name: 'bench.', algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
const log = createLogger('bench', 'error');
const image = ImageWriter.create(1_024 * 1_048_576);
const apex = nameToWire(zone);
image.put(compileZone({ apex, serial: 1, records: listRecords() }));
image.setState(IMAGE_STATE.CURRENT);
const transfers = new Transfers({
  image,
  differences: new DifferenceLog(),
  places: new TransferPlaces(10, 10),
  findPeer: () => ({ id: 'bench', networks: [], notify: [], key, catalogSerial: undefined }),
  mayTake: () => Promise.resolve(true),
  onSerial: () => undefined,
  timeoutMs: 3_600_000,
  counters: createTransferCounters(),
  clock: systemClock,
  log,
});
const settings = readSettings(NAMESERVER_SETTINGS, {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  NAMESERVER_HOST: '127.0.0.1',
  NAMESERVER_UDP_TRANSPORT: 'dgram',
});
const { tcp } = createTransports({
  ...{ settings, image, handleQuery, clock: systemClock, log, counters: createTransportCounters() },
  peers: { findKey: () => key, answer: (request) => transfers.answer(request) },
  listAddresses: undefined,
});
await tcp.start(Number(port));
process.on('SIGTERM', () => process.exit(0));

function* listRecords() {
  const record = (owner, type, data) => ({
    owner,
    type: RR_TYPE[type],
    ttl: 300,
    rdata: rdataToWire(type, data, null),
  });
  yield record(apex, 'SOA', `ns1.${zone} admin.${zone} 1 3600 600 86400 300`);
  yield record(apex, 'NS', `ns1.${zone}`);
  yield record(nameToWire(`ns1.${zone}`), 'A', '192.0.2.1');
  for (let i = 0; i < Number(records); i++) {
    yield record(nameToWire(`h${i}.${zone}`), 'A', `192.0.${(i >> 8) & 255}.${i & 255}`);
  }
}
