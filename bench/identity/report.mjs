// Prints the results as Markdown.
import { canPin } from './pinning.mjs';

export function printReport(tables, { seconds, rounds }) {
  const pinning = canPin
    ? 'The service, or what it is compared with, has one core; the client, PostgreSQL and Redis share another.'
    : 'Nothing is pinned to a core.';
  console.log(`Node ${process.version}. ${rounds} rounds of ${seconds} s, in turns. ${pinning}\n`);
  for (const { titles, rows } of tables) {
    for (const cells of [titles, titles.map(() => '---'), ...rows]) {
      console.log(`| ${cells.join(' | ')} |`);
    }
    console.log();
  }
}

export function range({ median, min, max }, format) {
  return `${format(median)} (${format(min)}-${format(max)})`;
}

export const whole = (value) => Math.round(value).toLocaleString('en');
export const percent = (value) => `${Math.round(value * 100)}%`;
export const milliseconds = (value) => `${value.toFixed(1)} ms`;
