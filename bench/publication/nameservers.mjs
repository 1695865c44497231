// Starts six nameserver processes on one database, each on a free port.
import { Child } from '../lib/child.mjs';
import { database, mainOf } from '../lib/packages.mjs';

const { DATABASE_ROLES, withRole } = database;
const NAMES = [1, 2, 3, 4, 5, 6].map((number) => `ns1-${number}`);

export async function startNameservers({ db, url }, names = NAMES) {
  const start = (name) =>
    Child.start([process.execPath, mainOf('nameserver')], {
      DATABASE_URL: withRole(url, DATABASE_ROLES.nameserver),
      NAMESERVER_NAME: name,
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_PORT: '0',
      NAMESERVER_OPERATIONS_PORT: '0',
    });
  const running = await Promise.all(names.map(start));
  await untilInStep(db, names);
  const last = () => names.length - 1;
  return {
    lastName: names.at(-1),
    signalLast: (signal) => process.kill(running[last()].pid, signal),
    killLast: async () => {
      process.kill(running[last()].pid, 'SIGKILL');
      await running[last()].stop();
    },
    startLast: async () => {
      running[last()] = await start(names.at(-1));
    },
    ports: () => running.map(({ ready }) => Number(ready.addresses.dns.split(':').at(-1))),
    pids: () => running.map(({ pid }) => pid),
    stop: async () => {
      await Promise.all(running.map((child) => child.stop()));
    },
  };
}

/** Waits until they have applied all changes committed so far. */
export async function untilInStep(db, names) {
  const { rows } = await db.raw('select max(d.changed_in)::text as last from dns.domains as d');
  const last = rows[0].last ?? '0';
  for (;;) {
    const { rows: behind } = await db.raw(
      `select from unnest(?::text[]) as n
        where not exists (select from dns.nameserver_status as s
                           where s.name = n and s.heartbeat_at > now() - interval '5 s'
                             and pg_visible_in_snapshot(?::xid8, s.horizon))`,
      [names, last],
    );
    if (behind.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
