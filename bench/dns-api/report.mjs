// Prints the results as Markdown.
import { canPin } from './pinning.mjs';

export function printReport(results, { seconds, rounds }) {
  const rates = results.filter(({ ratio }) => ratio !== undefined);
  const latencies = results.filter(({ p99 }) => p99 !== undefined);
  const pinning = canPin
    ? 'The service, or what it is compared with, has one core, PostgreSQL the other, the client both.'
    : 'Nothing is pinned to a core.';
  console.log(`Node ${process.version}. ${rounds} rounds of ${seconds} s, in turns. ${pinning}\n`);
  if (rates.length > 0) {
    printTable(
      [
        'what',
        'service, median (min-max)',
        'compared with',
        'median (min-max)',
        'ratio (min-max)',
        'goal',
        'CPU a call, service / compared',
      ],
      rates.map(({ title, unit, service, against, bare, ratio, goal, ...cpu }) => [
        title,
        `${range(service, whole)} ${unit}`,
        against,
        `${range(bare, whole)} ${unit}`,
        range(ratio, percent),
        goal === undefined ? '' : `>= ${percent(goal)}`,
        `${whole(cpu.serviceCpu.median)} / ${whole(cpu.bareCpu.median)} us`,
      ]),
    );
  }
  if (latencies.length > 0) {
    printTable(
      ['one connection', 'requests', 'p50', 'p95', 'p99', 'longest'],
      latencies.map(({ title, count, p50, p95, p99, max }) => [
        title,
        whole(count),
        milliseconds(p50),
        milliseconds(p95),
        milliseconds(p99),
        milliseconds(max),
      ]),
    );
  }
}

function printTable(titles, rows) {
  for (const cells of [titles, titles.map(() => '---'), ...rows]) {
    console.log(`| ${cells.join(' | ')} |`);
  }
  console.log();
}

function range({ median, min, max }, format) {
  return `${format(median)} (${format(min)}-${format(max)})`;
}

const whole = (value) => Math.round(value).toLocaleString('en');
const percent = (value) => `${Math.round(value * 100)}%`;
const milliseconds = (value) => `${value.toFixed(1)} ms`;
