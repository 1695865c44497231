// Measures responses that wait until all six nameservers have applied the change.
import { createRecord, createSteadily, milliseconds, percentile } from './writes.mjs';

const PER_SECOND = 50;

export async function measureWaits({ platform, zones, seconds }) {
  const results = [];
  for (const perSecond of [5, PER_SECOND]) {
    const answers = await createSteadily({
      perSecond,
      seconds,
      begin: () => createRecord(platform, zones, 'wait=10'),
    });
    const complete = answers.filter(({ published }) => published === '6/6').length;
    const times = answers.map((answer) => answer.milliseconds);
    results.push({
      what: `Create Record with Prefer: wait, ${perSecond} a second (${complete} of ${answers.length} say 6/6)`,
      measured: `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}`,
      goal: 'p99 100 ms',
    });
  }
  return results;
}
