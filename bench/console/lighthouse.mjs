import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../scripts/console-platform.mjs';
import { openSession } from './session.mjs';

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

/** Returns the Lighthouse scores of the login and of a domain, with desktop settings. */
export async function measureLighthouse(platform, launchChromium) {
  const folder = process.env.LIGHTHOUSE;
  if (folder === undefined) {
    console.error('SKIPPED (LIGHTHOUSE names no folder): lighthouse');
    return [];
  }
  const { default: lighthouse, desktopConfig } = await import(
    pathToFileURL(join(folder, 'node_modules/lighthouse/core/index.js'))
  );
  const port = await freePort();
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  try {
    const rows = [];
    const project = `/p/${platform.demo.ZONEWRIGHT_TENANT_ID}/domains`;
    const pages = {
      'log-in': ['/', {}],
      domains: [project, { Cookie: await openSession(platform) }],
    };
    for (const [name, [path, extraHeaders]] of Object.entries(pages)) {
      const { lhr } = await lighthouse(
        platform.origin + path,
        { port: Number(port), output: 'json', onlyCategories: CATEGORIES, extraHeaders },
        desktopConfig,
      );
      const scores = CATEGORIES.map((each) => Math.round(lhr.categories[each].score * 100));
      rows.push({
        what: `Lighthouse ${lhr.lighthouseVersion}: ${name} (${CATEGORIES.join(', ')})`,
        measured: scores.join(', '),
        goal: '>= 95, 100, 100',
      });
      const failed = Object.values(lhr.audits).filter(
        ({ score, scoreDisplayMode }) =>
          score !== null && score < 1 && scoreDisplayMode === 'binary',
      );
      if (failed.length > 0) console.error(name, failed.map(({ id }) => id).join(', '));
    }
    return rows;
  } finally {
    await browser.close();
  }
}
