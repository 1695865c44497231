// Prints figures as Markdown.
import { cpus } from 'node:os';

export function printTable(caption, titles, rows) {
  const machine = `${cpus()[0].model.trim()}, Node.js ${process.versions.node}`;
  console.log(`\n${caption}; ${machine}:\n`);
  for (const cells of [titles, titles.map(() => '---'), ...rows]) {
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** Formats the median, with minimum and maximum in brackets. */
export function spread(numbers, digits) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const text = (value) => value.toFixed(digits);
  return `${text(sorted[sorted.length >> 1])} (${text(sorted[0])} - ${text(sorted.at(-1))})`;
}

export function distribution(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), longest: sorted.at(-1) };
}

export const whole = (value) => Math.round(value).toLocaleString('en');
