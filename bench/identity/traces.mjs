// Measures the cost of traces: validations with every request traced, compared with the same service without traces.
import { summarize } from '../lib/rounds.mjs';
import { startTraceCollector } from '../lib/trace-collector.mjs';
import { HIGH_LIMITS } from './platform.mjs';
import { percent, range, whole } from './report.mjs';
import { logInAll, OPERATIONS } from './validation.mjs';
import { Requests } from './wrk.mjs';

export async function measureTraces(platform, { seconds, rounds }) {
  const title = 'GET /v3/auth/tokens';
  const collector = await startTraceCollector();
  const plain = await platform.startService(HIGH_LIMITS);
  const traced = await platform.startService({ ...HIGH_LIMITS, ...collector.environment });
  const { asking, subjects } = await logInAll(platform, plain);
  const requests = await Requests.prepare(
    subjects.map((subject) => OPERATIONS[title](asking, subject)),
  );
  const measured = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const on = await requests.flood(traced, seconds);
      const off = await requests.flood(plain, seconds);
      if (round > 0) measured.push({ on: on.perCpuSecond, off: off.perCpuSecond });
    }
  } finally {
    await requests.remove();
    await traced.stop();
    await plain.stop();
    collector.stop();
  }
  const over = (value) => summarize(measured.map(value));
  return [
    {
      titles: ['For each second of CPU', 'every request traced', 'without traces', 'ratio'],
      rows: [
        [
          `\`${title}\``,
          range(
            over(({ on }) => on),
            whole,
          ),
          range(
            over(({ off }) => off),
            whole,
          ),
          range(
            over(({ on, off }) => on / off),
            percent,
          ),
        ],
      ],
    },
  ];
}
