// Alternating measurements: load on the machine affects both sides, so the ratio within each round remains valid.
import { cpuTimeOf } from './cpu-time.mjs';

/** Returns median, minimum and maximum. */
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
 * Measures service and bare server in turn, after a warm-up round of each. Each is { pid, run }: the process whose CPU
 * time counts, and a function that resolves with calls per second.
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
