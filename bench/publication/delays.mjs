// Measures the time from commit until all six have applied a change, at 100 changes per second, from the journal and
// the nameservers' reports.
import { cpuTimeOf } from '../lib/cpu-time.mjs';
import { createRecord, createSteadily, milliseconds, percentile } from './writes.mjs';
import { untilInStep } from './nameservers.mjs';

const PER_SECOND = 100;
const ALL_SIX = [1, 2, 3, 4, 5, 6].map((number) => `ns1-${number}`);

export async function measureDelays({ platform, nameservers, zones, seconds }) {
  const { db } = platform;
  const { rows: start } = await db.raw(
    'select coalesce(max(c.id), 0) as id from dns.zone_changes as c',
  );
  const cpu = () => nameservers.pids().reduce((sum, pid) => sum + cpuTimeOf(pid), 0);
  const cpuBefore = cpu();
  let refused = 0;
  await createSteadily({
    perSecond: PER_SECOND,
    seconds,
    begin: () =>
      createRecord(platform, zones).catch((error) => {
        if (!error.message.startsWith('answered 503')) throw error;
        refused += 1;
      }),
  });
  await untilInStep(db, ALL_SIX);
  const share = (cpu() - cpuBefore) / 1e6 / seconds / ALL_SIX.length;
  const { rows } = await db.raw(
    `select extract(epoch from max(first.applied_at) - c.changed_at)::float8 * 1000 as ms
       from dns.zone_changes as c, unnest(?::text[]) as n,
            lateral (select p.applied_at from dns.nameserver_progress as p
                      where p.name = n and p.applied_at >= c.changed_at - interval '2 ms'
                        and pg_visible_in_snapshot(c.changed_in, p.horizon)
                      order by p.applied_at limit 1) as first
      where c.id > ? group by c.id, c.changed_at`,
    [ALL_SIX, start[0].id],
  );
  const delays = rows.map(({ ms }) => ms);
  return [
    {
      what: `Commit to applied by all six, ${PER_SECOND} changes/s (${delays.length} changes, ${refused} refused)`,
      measured: `p50 ${milliseconds(percentile(delays, 0.5))}, p99 ${milliseconds(percentile(delays, 0.99))}`,
      goal: 'p50 15 ms, p99 60 ms, none refused',
    },
    {
      what: 'CPU of a nameserver meanwhile',
      measured: `${(share * 100).toFixed(0)}% of a core`,
      goal: '',
    },
  ];
}
