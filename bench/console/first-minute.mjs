import { startConsole } from '../../scripts/console-platform.mjs';

/**
 * Measures the time from `npm start` in a new folder to a record with six marks, for a user who only reads its output.
 */
export async function measureFirstMinute(_platform, launchChromium) {
  const began = performance.now();
  const { demo, origin, stop } = await startConsole();
  const started = performance.now() - began;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    let clicks = 0;
    const click = async (name) => {
      clicks += 1;
      await page.getByRole('button', { name, exact: true }).last().click();
    };
    const type = async (field, text) => {
      clicks += 1;
      await field.click();
      await field.pressSequentially(text);
    };
    await page.goto(origin);
    await type(page.getByLabel('User name'), demo.ZONEWRIGHT_USERNAME);
    await type(page.locator('input[name=password]'), demo.ZONEWRIGHT_PASSWORD);
    await click('Log in');
    await click('New domain');
    await type(page.getByLabel('Name', { exact: true }), 'first-minute.example');
    await click('Create domain');
    await page.getByRole('heading', { name: 'first-minute.example' }).waitFor();
    await click('New record');
    await type(page.getByLabel('Name', { exact: true }), 'www');
    await type(page.getByLabel('IPv4 address'), '192.0.2.1');
    await click('Add record');
    await page.getByText('192.0.2.1').first().waitFor();
    await page.getByText(/^Published on 6 of 6/).waitFor();
    const seconds = (performance.now() - began) / 1_000;
    return [
      {
        what: '`npm start` to a record with six marks, built already',
        measured: `${seconds.toFixed(1)} s (${(started / 1_000).toFixed(1)} s of it until it says that it is ready), ${clicks} clicks`,
        goal: '<= 60 s, 12 clicks',
      },
    ];
  } finally {
    await browser.close();
    await stop();
  }
}
