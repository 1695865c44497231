// `npm run bench:publication`: time until six nameservers answer with a change, and cost of waiting for them. Prints Markdown, which docs/design/performance.md explains. BENCH_SECONDS sets the length of each part.
import { startPlatform } from './dns-api/platform.mjs';
import { measureChallenges } from './publication/challenges.mjs';
import { measureCrowd } from './publication/crowd.mjs';
import { measureDelays } from './publication/delays.mjs';
import { startNameservers } from './publication/nameservers.mjs';
import { measureRestart } from './publication/restart.mjs';
import { measureStreams } from './publication/streams.mjs';
import { measureWaits } from './publication/waits.mjs';
import { createZones } from './publication/writes.mjs';

const seconds = Number(process.env.BENCH_SECONDS || 10);
const PARTS = {
  delays: measureDelays,
  waits: measureWaits,
  challenges: measureChallenges,
  crowd: measureCrowd,
  streams: measureStreams,
  restart: measureRestart,
};

const wanted = process.argv.slice(2);
const platform = await startPlatform({ isPinned: false });
const nameservers = await startNameservers(platform);
try {
  const zones = await createZones(platform);
  const rows = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    rows.push(...(await measure({ platform, nameservers, zones, seconds })));
  }
  console.log(`Node ${process.version}, six nameserver processes, ${seconds} s each.\n`);
  console.log('| what | measured | goal |\n| --- | --- | --- |');
  for (const { what, measured, goal } of rows) console.log(`| ${what} | ${measured} | ${goal} |`);
} finally {
  await nameservers.stop();
  await platform.stop();
}
