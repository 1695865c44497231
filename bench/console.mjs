// `npm run bench:console`: speed of the console in Debian's chromium, on the platform as `npm start` runs it. Prints Markdown, which docs/design/performance.md explains. LIGHTHOUSE names a folder with node_modules/lighthouse (12.8), which is not a dependency.
import { startConsole, launchChromium } from '../scripts/console-platform.mjs';
import { measureFirstMinute } from './console/first-minute.mjs';
import { measureGrid } from './console/grid.mjs';
import { measureLighthouse } from './console/lighthouse.mjs';
import { measureSaves } from './console/saves.mjs';
import { measureSizes } from './console/sizes.mjs';

const PARTS = {
  sizes: measureSizes,
  'first-minute': measureFirstMinute,
  grid: measureGrid,
  saves: measureSaves,
  lighthouse: measureLighthouse,
};

const wanted = process.argv.slice(2);
const platform = await startConsole();
try {
  const rows = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    rows.push(...(await measure(platform, launchChromium)));
  }
  console.log('| what | measured | goal |\n| --- | --- | --- |');
  for (const { what, measured, goal } of rows) console.log(`| ${what} | ${measured} | ${goal} |`);
} finally {
  await platform.stop();
}
