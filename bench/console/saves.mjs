import { importDomain, ms, openPage, percentile } from './session.mjs';

const ROUNDS = 30;

/** Measures the time from the button to the row, and to six marks, as shown by the page. */
export async function measureSaves(platform, launchChromium) {
  const lines = Array.from({ length: 50 }, (_, index) => `h${index} 60 IN A 198.51.100.${index}`);
  await importDomain(platform.demo, 'small.example', lines.join('\n') + '\n');
  const browser = await launchChromium();
  try {
    const page = await openPage(platform, browser, '/domains/small.example');
    await page.getByText(/^Published on 6 of 6/).waitFor();
    const rows = [];
    const marks = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.getByRole('button', { name: 'New record' }).first().click();
      await page.getByRole('form').getByLabel('Name', { exact: true }).fill(`a${round}`);
      await page.getByLabel('IPv4 address').fill(`192.0.2.${round}`);
      const { row, six } = await page.evaluate(save, `192.0.2.${round}`);
      rows.push(row);
      marks.push(six);
    }
    const both = (values) => `${ms(percentile(values, 0.5))}, ${ms(percentile(values, 0.95))}`;
    return [
      {
        what: `Save to row, median and p95 of ${ROUNDS}`,
        measured: both(rows),
        goal: '<= 100 ms',
      },
      {
        what: `Save to six marks, median and p95 of ${ROUNDS}`,
        measured: both(marks),
        goal: 'p95 <= 150 ms',
      },
    ];
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function save(data) {
  const meter = () =>
    [...document.querySelectorAll('[role=status]')].find((each) =>
      /^Publish(ed|ing)/.test(each.textContent),
    )?.parentElement;
  const before = meter()?.title;
  const begin = performance.now();
  const found = { row: undefined, six: undefined };
  const done = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const now = performance.now() - begin;
      const values = document.querySelectorAll('[role=row]');
      if (found.row === undefined && [...values].some((row) => row.textContent.includes(data)))
        found.row = now;
      const shown = meter();
      const isAll = shown?.textContent.includes('Published on 6 of 6') === true;
      if (found.six === undefined && isAll && shown.title !== before) found.six = now;
      if (found.row === undefined || found.six === undefined) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  });
  document.querySelector('form[aria-label="New record"] button[type=submit]').click();
  await done;
  return found;
}
