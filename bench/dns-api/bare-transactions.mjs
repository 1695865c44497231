// Program that measures the minimum cost of Create Record. It only sends the statements of the service over `pg`, from
// one session for each connection. Only values that must differ are replaced: the record's id and name, the zone, the
// serial.
import { randomUUID } from 'node:crypto';
import { pg } from '../lib/packages.mjs';

let sessions = [];
let recorded;
let zones = [];
let made = 0;

const HANDLERS = {
  open: async ({ url, connections, ...rest }) => {
    ({ recorded, zones } = rest);
    sessions = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
    await Promise.all(sessions.map((session) => session.connect()));
  },
  run: async ({ seconds }) => {
    const started = performance.now();
    const end = started + seconds * 1_000;
    let transactions = 0;
    await Promise.all(
      sessions.map(async (session, at) => {
        while (performance.now() < end) {
          await runTransaction(session, zones[at % zones.length]);
          transactions += 1;
        }
      }),
    );
    return (transactions / (performance.now() - started)) * 1_000;
  },
};

async function runTransaction(session, zone) {
  made += 1;
  const replacements = [
    [recorded.record.id, randomUUID()],
    [recorded.name, `bare-${process.pid}-${made}.${zone.name}`],
    [recorded.zoneId, zone.id],
  ];
  for (const { text, name, values } of recorded.statements) {
    await session.query({
      text,
      name,
      values: values.map((value) => replaceIn(value, replacements)),
    });
  }
}

function replaceIn(value, replacements) {
  if (Array.isArray(value)) return value.map((each) => replaceIn(each, replacements));
  // Form of a Buffer after the IPC channel.
  if (value?.type === 'Buffer') return Buffer.from(value.data);
  if (typeof value !== 'string') return value;
  return replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value);
}

process.on('message', async ({ type, ...question }) => {
  process.send({ answer: await HANDLERS[type](question) });
});
process.on('disconnect', () => process.exit(0));
process.send({ type: 'ready' });
