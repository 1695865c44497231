// `npm run bench:dns-api`: speed of the DNS API compared with the minimum that the same work costs without it. Prints a Markdown table, which docs/design/performance.md explains. BENCH_SECONDS and BENCH_ROUNDS set the length.
import { measureCreates } from './dns-api/creates.mjs';
import { measureLists } from './dns-api/lists.mjs';
import { measurePages } from './dns-api/pages.mjs';
import { startPlatform } from './dns-api/platform.mjs';
import { measureSingles } from './dns-api/singles.mjs';
import { measureUpdates } from './dns-api/updates.mjs';
import { measureTraces } from './dns-api/traces.mjs';
import { measureSearches } from './dns-api/searches.mjs';
import { measurePowerdns } from './dns-api/powerdns.mjs';
import { measureRecordsets } from './dns-api/recordsets.mjs';
import { measureRestricted } from './dns-api/restricted.mjs';
import { printReport } from './dns-api/report.mjs';

const PARTS = {
  creates: measureCreates,
  lists: measureLists,
  updates: measureUpdates,
  singles: measureSingles,
  pages: measurePages,
  traces: measureTraces,
  recordsets: measureRecordsets,
  restricted: measureRestricted,
  searches: measureSearches,
  powerdns: measurePowerdns,
};

const wanted = process.argv.slice(2);
const length = {
  seconds: Number(process.env.BENCH_SECONDS || 2),
  rounds: Number(process.env.BENCH_ROUNDS || 7),
};
const platform = await startPlatform();
try {
  const results = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    results.push(...(await measure(platform, length)));
  }
  printReport(results, length);
} finally {
  await platform.stop();
}
