// Measures repeated requests for a list of 500 records, compared with a bare Express with the same routes that sends
// the same bytes.
import { fileURLToPath } from 'node:url';
import { Child } from '../lib/child.mjs';
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { onServiceCore } from './pinning.mjs';
import { compare } from '../lib/rounds.mjs';
import { createZones, fillZone } from './zones.mjs';

const CONNECTIONS = 32;
const RECORDS = 500;
const BARE = fileURLToPath(new URL('bare-http.mjs', import.meta.url));
/** Headers that Node.js adds itself. */
const ADDED_BY_NODE = ['date', 'connection', 'keep-alive'];

export async function measureLists(platform, length) {
  const { apiUrl, token, db } = platform;
  const [zone] = await createZones(platform, 1);
  await fillZone(db, zone, RECORDS);
  const path = `/v1/domains/${zone.id}/records`;
  const ofApi = await openConnections(apiUrl, CONNECTIONS);
  const bare = await Child.start(onServiceCore(BARE));
  const answer = requireOk(await ofApi[0].request('GET', path, { token }));
  const { paths } = await (await fetch(new URL('/openapi.json', apiUrl))).json();
  await bare.ask({
    headers: headersOf(answer.head()),
    text: answer.text(),
    paths: Object.keys(paths).toSorted(),
  });
  const ofBare = await openConnections(new URL(bare.ready.url), CONNECTIONS);
  const list = async (connection) => requireOk(await connection.request('GET', path, { token }));
  try {
    return [
      await compare(length, {
        title: `List Records, ${RECORDS} records, ${CONNECTIONS} connections`,
        unit: '/s',
        against: `bare Express, the same routes and ${answer.text().length.toLocaleString('en')} bytes`,
        goal: 0.8,
        service: {
          pid: platform.apiPid,
          run: (seconds) => callsPerSecond(ofApi, seconds, list),
        },
        bare: { pid: bare.pid, run: (seconds) => callsPerSecond(ofBare, seconds, list) },
      }),
    ];
  } finally {
    for (const connection of [...ofApi, ...ofBare]) connection.close();
    await bare.stop();
  }
}

function headersOf(head) {
  const lines = head.trim().split('\r\n').slice(1);
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2));
  return Object.fromEntries(
    headers.filter(([name]) => !ADDED_BY_NODE.includes(name.toLowerCase())),
  );
}
