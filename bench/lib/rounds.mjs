// Measurements in turns: what disturbs the machine for a while disturbs both sides, and the ratio of each round
// stands for itself.
import { cpuTimeOf } from './cpu-time.mjs';

/** Median, least and greatest. */
export function summarize(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const median =
    sorted.length % 2 === 1
      ? sorted[Math.floor(middle)]
      : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted.at(-1) };
}

/**
 * Measures service and bare in turns, after one round of each that does not count. Each is { pid, run }: the processes
 * whose CPU time counts, and what resolves with calls per second.
 */
export async function compare({ seconds, rounds }, { service, bare, ...about }) {
  const figures = [];
  for (let round = 0; round <= rounds; round += 1) {
    const both = { service: await measure(service, seconds), bare: await measure(bare, seconds) };
    if (round > 0) figures.push(both);
  }
  const of = (side, figure) => summarize(figures.map((each) => each[side][figure]));
  return {
    ...about,
    service: of('service', 'rate'),
    bare: of('bare', 'rate'),
    ratio: summarize(figures.map((each) => each.service.rate / each.bare.rate)),
    serviceCpu: of('service', 'cpu'),
    bareCpu: of('bare', 'cpu'),
  };
}

async function measure({ pid, run }, seconds) {
  const cpuTime = () => [pid].flat().reduce((sum, each) => sum + cpuTimeOf(each), 0);
  const before = { time: performance.now(), cpu: cpuTime() };
  const rate = await run(seconds);
  const calls = (rate * (performance.now() - before.time)) / 1_000;
  return { rate, cpu: (cpuTime() - before.cpu) / calls };
}
