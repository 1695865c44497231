import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@zonewright/client';
import { nameToWire } from '@zonewright/dns-records';
import { FAULT_ROUNDS, waitFor } from '@zonewright/testkit';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request, Route } from 'playwright-core';
import { Person } from '../command-line/command.js';
import { itWith } from '../support/foreign-programs.js';
import { HeldPrimary } from '../support/held-primary.js';
import { operate } from '../support/operate.js';
import { PROJECT } from '../support/running-platform.js';
import { Desk, FORMS, hasChromium, TWO } from './desk.js';
import { REQUIRED_SCENARIOS } from './required-scenarios.js';
import { findWrites, watchWrites, WAYS_BACK } from './ways-back.js';

const itWithCurl = itWith('curl', '--version');

if (!hasChromium) process.stderr.write('SKIPPED (no chromium): scenarios of the console\n');
const inBrowser = hasChromium ? describe : describe.skip;
/** For tests that take long without finding more than others. They run only in `npm run test:faults`. */
const inLongForm = FAULT_ROUNDS >= 200 ? it : it.skip;

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.start({
    DNS_API_MAX_DOMAIN_RECORDS: '25000',
    DNS_API_PRIVATE_PRIMARIES: 'true',
  });
  if (hasChromium) await desk.launchBrowser();
}, 120_000);
afterAll(async () => {
  await desk.remove();
});

const button = (name: string | RegExp) =>
  desk.page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = () => desk.page.getByRole('dialog');
const undo = async () => {
  await button('Undo').last().click();
};
/** Waits for a condition in the API. */
const until = async (condition: () => Promise<boolean>) => {
  await waitFor(condition, 30_000);
};
const untilRecords = (id: string, expected: readonly string[]) =>
  until(async () => JSON.stringify(await desk.records(id)) === JSON.stringify(expected));
/** Expects a text on the page. */
const expectShown = async (text: string | RegExp) => {
  await desk.page.getByText(text).first().waitFor({ timeout: 60_000 });
};
const fillRecord = async (name: string, data: string) => {
  await button('New record').first().click();
  await desk.page.getByRole('form').getByLabel('Name', { exact: true }).fill(name);
  await desk.page.getByLabel('IPv4 address').fill(data);
};
const addRecord = async (name: string, data: string) => {
  await fillRecord(name, data);
  await button('Add record').click();
};

describe('the list of ways back', () => {
  it('has exactly the operations by which the pages write', () => {
    expect(findWrites(join(PROJECT, 'packages/console/src'))).toEqual(
      Object.keys(WAYS_BACK).toSorted(),
    );
  });
});

describe('the list of scenarios', () => {
  const folder = join(PROJECT, 'packages/e2e/test/console');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  it.each(REQUIRED_SCENARIOS)('has a scenario for: %s', (_situation, title) => {
    expect(read('console.test.ts') + read('scenarios.test.ts')).toContain(`'${title}'`);
  });
});

describe('pictures of the console', () => {
  const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8');
  const script = read('scripts/screenshots.mjs');

  it('there is a picture of every screen', () => {
    const routes = read('packages/console/src/routes.ts');
    const screens = [...routes.matchAll(/^ {2}(\w+): load\(/gm)].map(([, screen = '']) => screen);
    expect(screens.length).toBeGreaterThan(10);
    const shown = [...script.matchAll(/'(\/[\w./-]*)'/g)].map(([, path = '']) => path);
    // The screen of the records has no path segment.
    const isShown = (screen: string) =>
      shown.some((path) => path.endsWith(screen === 'records' ? '/example.com' : `/${screen}`));
    expect(screens.filter((screen) => !isShown(screen))).toEqual([]);
  });

  it('each picture exists in three forms of at most 150 KiB, and no picture shows a removed screen', () => {
    const folder = join(PROJECT, 'docs/console');
    const taken = [...script.matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(([, name = '']) => name);
    const expected = ['login', ...taken].flatMap((name) =>
      ['dark', 'light', 'small'].map((form) => `${name}-${form}.png`),
    );
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
    const large = expected.filter((name) => statSync(join(folder, name)).size > 150 * 1024);
    expect(large).toEqual([]);
  });
});

inBrowser('what the console can do can be undone there', () => {
  afterEach(async () => {
    expect(await desk.close()).toEqual({ leaks: [], faults: [] });
  });

  it('demonstrates all features, and undoes each', async () => {
    const { name, id } = await desk.makeDomain(TWO);
    const before = await desk.records(id);
    const admin = await desk.administrator();
    await desk.openAs(admin);
    await desk.show('domains');
    const { page } = desk;
    const writes = watchWrites(page);
    const go = async (path: string) => {
      await page.goto(`${desk.origin}/p/${desk.projectId()}/${path}`);
    };
    const isThere = async (domain: string) =>
      (await desk.client.call('listDomains', { query: { name: `${domain}.` } })).value.domains
        .length === 1;

    // Domains: an empty one, and one from a file.
    for (const zonefile of ['', 'www IN A 192.0.2.1\n']) {
      const fresh = `fresh-${desk.nextNumber()}.example`;
      await go('domains');
      await button('New domain').first().click();
      await dialog().getByLabel('Name', { exact: true }).fill(fresh);
      if (zonefile !== '') {
        await page.getByRole('radio', { name: 'From a zone file' }).check();
        await page.getByLabel('Zone file', { exact: true }).fill(zonefile);
      }
      await button('Create domain').click();
      await page.getByRole('heading', { name: fresh, level: 1 }).waitFor();
      await undo();
      await until(async () => !(await isThere(fresh)));
      await go('domains?deleted=true');
      await desk.row(fresh).getByRole('button', { name: 'Restore' }).click();
      await page.getByText(`${fresh} restored`).waitFor();
      expect(await isThere(fresh)).toBe(true);
      await undo();
      await until(async () => !(await isThere(fresh)));
    }

    // Several domains at once.
    const pair = [(await desk.makeDomain()).name, (await desk.makeDomain()).name];
    const pick = async () => {
      for (const each of pair) await page.getByRole('checkbox', { name: `Select ${each}` }).check();
    };
    await go('domains?q=scenario-');
    await pick();
    await button('Change e-mail and TTL').click();
    await dialog().getByLabel('TTL in seconds').fill('7200');
    await button('Save').click();
    await page.getByText('2 domains changed').waitFor();
    await undo();
    await until(async () => (await desk.client.domains.get(pair[1] ?? '')).value.ttl !== 7200);
    await pick();
    await button('Delete').click();
    await dialog().getByRole('textbox').fill('2');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2 domains deleted').waitFor();
    await undo();
    await until(async () => (await isThere(pair[0] ?? '')) && (await isThere(pair[1] ?? '')));

    // Records: one, many, pasted.
    await go(`domains/${name}`);
    await addRecord('new', '192.0.2.5');
    await desk.row('192.0.2.5').waitFor();
    await undo();
    await untilRecords(id, before);
    await button('New record').first().click();
    await page.getByRole('form').getByLabel('Type').selectOption('MX');
    await page.getByLabel('Mail provider').selectOption('Fastmail');
    await button('Add record').click();
    await page.getByText('2 changes saved').waitFor();
    await undo();
    await untilRecords(id, before);
    await page.getByRole('checkbox', { name: 'Select www A 192.0.2.1' }).check();
    await button('Change tags').click();
    await page.getByLabel('Add tags').fill('web');
    await button('Apply').click();
    await desk.row('192.0.2.1').getByRole('button', { name: 'web' }).waitFor();
    await undo();
    await desk.row('192.0.2.1').getByRole('button', { name: 'web' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('IPv4 address').fill('192.0.2.11');
    await button('Save').click();
    await desk.row('192.0.2.11').waitFor();
    await undo();
    await untilRecords(id, before);
    // Select only current rows: the previous row contains the text of the new one.
    await desk.row('192.0.2.11').waitFor({ state: 'hidden' });
    await desk.row('192.0.2.1').waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button('Replace in data').click();
    await page.getByLabel('Find').fill('192.0.2.');
    await page.getByLabel('Replace with').fill('198.51.100.');
    await button('Apply').click();
    await desk.row('198.51.100.2').waitFor();
    await undo();
    await untilRecords(id, before);
    // The toasts of earlier actions are gone.
    await go(`domains/${name}`);
    await desk.row('192.0.2.1').waitFor();
    await desk.paste('ftp 60 IN CNAME www\n');
    await page.getByText('1 added, 0 changed, 0 deleted').waitFor();
    await dialog().getByRole('button', { name: 'Import', exact: true }).click();
    await desk.row('ftp').waitFor();
    await undo();
    await untilRecords(id, before);
    // Undo the undo, and redo it.
    await button('Redo').last().click();
    await until(async () => (await desk.records(id)).length === 3);
    await button('Redo').last().click();
    await untilRecords(id, before);

    // Restores a serial in the history, then reverts the restore.
    await go(`domains/${name}/history`);
    await button('Restore version').last().click();
    await dialog().getByRole('button', { name: 'Restore version' }).click();
    await untilRecords(id, []);
    await dialog().waitFor({ state: 'detached' });
    const restored = page.getByRole('listitem').filter({ hasText: 'restore' }).first();
    await restored.getByRole('button', { name: 'Revert' }).click();
    await dialog().getByRole('button', { name: 'Revert change' }).click();
    await untilRecords(id, before);

    // Settings.
    await go(`domains/${name}/settings`);
    await page.getByLabel('TTL in seconds').fill('7200');
    await button('Save').click();
    await page.getByText('Domain saved', { exact: true }).waitFor();
    await undo();
    await until(async () => (await desk.client.domains.get(id)).value.ttl !== 7200);
    await button('Delete domain').click();
    await dialog().getByRole('textbox').fill(name);
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${name} deleted`).waitFor();
    await undo();
    await until(() => isThere(name));
    expect(await desk.records(id)).toEqual(before);

    // DNSSEC: sign, unsign and cancel, and an external key.
    await go(`domains/${name}/settings`);
    await button('Sign domain').click();
    await page.getByText('signed', { exact: true }).waitFor();
    await button('Stop signing').click();
    await dialog().getByRole('button', { name: 'Stop signing' }).click();
    await page.getByText('waiting for deletion of the DS record').waitFor();
    await undo();
    await page.getByText('signed', { exact: true }).waitFor();
    await button('Stop signing').click();
    await dialog().getByRole('button', { name: 'Stop signing' }).click();
    await button('Keep signing').click();
    await page.getByText('signed', { exact: true }).waitFor();
    await button('Replace key').click();
    await dialog().getByRole('button', { name: 'Replace key' }).click();
    await page.getByText('Key replacement started').first().waitFor();

    // Keys.
    await go('keys');
    await button('New key').click();
    await dialog().getByLabel('Name', { exact: true }).fill('walker');
    await page.getByLabel('Rights').selectOption('read');
    await button('Create key').click();
    await button('I have saved it').click();
    await button('Disable walker').click();
    await page.getByText('Access key walker disabled').waitFor();
    await undo();
    await desk.row('walker').getByText('active').waitFor();
    await button('Delete walker').click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.row('walker').waitFor({ state: 'detached' });

    // Members.
    const invited = `invited-${desk.nextNumber()}`;
    await go('members');
    await button('Invite').click();
    await page.getByLabel('User name').fill(invited);
    await button('Create user').click();
    await button('I have saved it').click();
    await page.getByText(`${invited} invited`).waitFor();
    await undo();
    await desk.row(invited).waitFor({ state: 'detached' });
    const { username } = await desk.addMember();
    await button('Invite').click();
    await page.getByRole('radio', { name: 'Existing user' }).check();
    await page.getByLabel('User name').fill(username);
    await button('Add role').click();
    await page.getByText(`Role dns-admin added to ${username}`).waitFor();
    await button(`Remove dns-admin from ${username}`).click();
    await button('Remove role').click();
    await page.getByText(`Role dns-admin removed from ${username}`).waitFor();
    await undo();
    await desk.row(username).getByText('dns-admin').waitFor();
    expect(writes.has('changePasswordV3')).toBe(false);

    // Password.
    await go('account');
    const changePassword = async (original: string, next: string) => {
      await page.getByLabel('Current password').fill(original);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('Repeat new password').fill(next);
      await button('Change password').click();
      await page.getByText('Password changed').last().waitFor();
      await page.getByLabel('Current password').and(page.locator('[value=""]')).waitFor();
    };
    await changePassword(admin.password, 'another password');
    await changePassword('another password', admin.password);

    expect([...writes].toSorted()).toEqual(Object.keys(WAYS_BACK).toSorted());
  }, 180_000);
});

inBrowser('when something is in the way', () => {
  afterEach(async () => {
    expect(await desk.close()).toEqual({ leaks: [], faults: [] });
  });
  const refuse =
    (status: number, headers: Record<string, string> = {}) =>
    (route: Route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ code: status, type: 'unavailable', message: 'The service rests.' }),
      });

  it('409: names the existing record', async () => {
    await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await addRecord('www', '192.0.2.1');
    await desk.page.getByText(/already exists with the id/).waitFor();
    expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.1');
  });

  it('413: shows the room that the quota leaves', async () => {
    const { id } = await desk.openDomain(TWO);
    const before = await desk.records(id);
    desk.watched.expectRefusals();
    const setQuota = (most: string) => {
      operate(desk.platform, 'quota', 'set', desk.projectId(), '--max-records', most);
    };
    setQuota('2');
    try {
      await addRecord('third', '192.0.2.3');
      await expectShown(/at most 2 records|limit of 2|2 records/);
      expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.3');
      expect(await desk.records(id)).toEqual(before);
    } finally {
      setQuota('25000');
    }
    await button('Add record').click();
    await until(async () => (await desk.records(id)).length === 3);
  });

  it('403: tells a user who lost the role, and keeps the input', async () => {
    const { name } = await desk.makeDomain(TWO);
    const admin = await desk.administration();
    const as = await desk.addMember('dns-admin');
    await desk.openAs(as);
    desk.watched.expectRefusals();
    await desk.show(`domains/${name}`);
    await desk.row('192.0.2.1').waitFor();
    const { value } = await admin.call('listUsersV3', { query: { name: as.username } });
    const body = { user: { enabled: false } };
    await admin.call('updateUserV3', { path: { userId: value.users[0]?.id ?? '' }, body });
    await addRecord('late', '192.0.2.3');
    await desk.page
      .getByRole('heading', { name: 'Your session has expired' })
      .or(desk.page.getByText('Request failed'))
      .first()
      .waitFor();
    expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.3');
  });

  it('503 with Retry-After: shows the time of the next attempt, which can be made at once, and repeats automatically', async () => {
    const { name, id } = await desk.makeDomain(TWO);
    await desk.openAs(desk.credentials());
    desk.watched.expectRefusals();
    desk.page = await desk.watched.page('/');
    const records = `**/domains/${id}/records?**`;
    // The client itself would wait, but 600 s exceed its time limit.
    await desk.page.route(records, refuse(503, { 'retry-after': '600' }));
    await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains/${name}`);
    await desk.page.getByText(/^Next attempt in (600|59\d) s$/).waitFor();
    await desk.page.unroute(records);
    await button('Try again').first().click();
    await desk.row('192.0.2.1').waitFor();
    expect(await desk.page.getByText(/^Next attempt/).count()).toBe(0);
  });

  /** Writes of the page without a response yet, since the test controls the page's clock. */
  const underWay = new Set<Request>();
  const takeClock = async () => {
    underWay.clear();
    const end = (request: Request) => void underWay.delete(request);
    desk.page.on('requestfinished', end).on('requestfailed', end);
    desk.page.on('request', (request) => {
      if (request.method() !== 'GET') underWay.add(request);
    });
    await desk.page.clock.install();
  };
  /**
   * Advances the page's clock, so that waits end at once. It does not while a request is in progress: the service
   * responds in real time, and the page's time limit would expire.
   */
  const runClock = async (isThere: () => Promise<boolean>) => {
    await until(async () => {
      if (underWay.size === 0) await desk.page.clock.fastForward(3_000);
      return await isThere();
    });
  };
  const isAsking = () => desk.page.getByText(/so the outcome is unknown/).isVisible();

  it('without a network, the input is kept, also after a reload, and is sent afterwards', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').waitFor();
    await desk.watched.context.setOffline(true);
    await takeClock();
    await addRecord('typed', '192.0.2.8');
    await runClock(isAsking);
    await button('Stop retrying').click();
    await desk.watched.context.setOffline(false);
    await desk.page.reload();
    const form = desk.page.getByRole('form', { name: 'New record' });
    expect(await form.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.8');
    await button('Add record').click();
    await desk.row('192.0.2.8').waitFor();
    expect(await desk.records(id)).toContain(`typed.${name}. A 192.0.2.8`);
  });

  it('after a lost response, the same request is repeated and takes effect once', async () => {
    const { name, id } = await desk.openDomain();
    desk.watched.expectRefusals();
    let isCut = false;
    await desk.page.route(`**/domains/${id}/batch*`, async (route) => {
      if (isCut) return route.continue();
      isCut = true;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await addRecord('once', '192.0.2.9');
    await desk.row('192.0.2.9').waitFor();
    expect(await desk.records(id)).toEqual([`once.${name}. A 192.0.2.9`]);
  });

  it('an edit whose response is lost does not conflict with itself', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    let isCut = false;
    await desk.page.route(`**/domains/${id}/batch*`, async (route) => {
      if (isCut) return route.continue();
      isCut = true;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.9');
    await button('Save').click();
    await desk.row('192.0.2.9').waitFor();
    await desk.page.getByText(/^www A \S+ changed$/).waitFor();
    expect(await desk.records(id)).toContain(`www.${name}. A 192.0.2.9`);
  });

  it('without a response for long, the same request is repeated until the outcome is known, and takes effect once', async () => {
    const { name, id } = await desk.openDomain();
    desk.watched.expectRefusals();
    await takeClock();
    let isCut = true;
    await desk.page.route(`**/domains/${id}/batch*`, async (route) => {
      const answer = await route.fetch();
      return isCut ? route.abort('connectionreset') : route.fulfill({ response: answer });
    });
    await addRecord('unknown', '192.0.2.9');
    await runClock(isAsking);
    expect(await desk.page.getByText(/^The change was/).count()).toBe(0);
    isCut = false;
    await runClock(() => desk.page.getByText('The change was made.').isVisible());
    await desk.row('192.0.2.9').waitFor();
    expect(await isAsking()).toBe(false);
    expect(await desk.records(id)).toEqual([`unknown.${name}. A 192.0.2.9`]);
  });

  it('without a response for long, a user whose change was not made sees the reason, and the input is kept', async () => {
    const { name, id } = await desk.openDomain();
    desk.watched.expectRefusals();
    await takeClock();
    const batch = `**/domains/${id}/batch*`;
    await desk.page.route(batch, (route) => route.abort('connectionreset'));
    await addRecord('unknown', '192.0.2.9');
    await runClock(isAsking);
    await desk.client.records(id).add({ name: `unknown.${name}.`, type: 'CNAME', data: 'a.test.' });
    await desk.page.unroute(batch);
    await runClock(() => desk.page.getByText('The change was not made.').isVisible());
    await expectShown(/which must be the only record of its name/);
    expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.9');
  });

  it('without any response, nothing is reported as done or not done', async () => {
    const { id } = await desk.openDomain();
    desk.watched.expectRefusals();
    await takeClock();
    await desk.page.route(`**/domains/${id}/batch*`, (route) => route.abort('connectionreset'));
    await addRecord('unknown', '192.0.2.9');
    await runClock(isAsking);
    await button('Stop retrying').click();
    await runClock(() => desk.page.getByText(/Check the history before/).isVisible());
    expect(await desk.page.getByText(/^The change was/).count()).toBe(0);
    expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.9');
  });

  it('an error in the pages is shown, can be copied, and a reload recovers', async () => {
    await desk.openAs(desk.credentials());
    const domains = '**/v1/domains?**';
    desk.page = await desk.watched.page('/none');
    await desk.page.route(domains, (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"domains":[null]}' }),
    );
    await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains`);
    await desk.page.getByText(/^An error occurred on this page/).waitFor();
    await button('Copy details').click();
    expect(await desk.page.evaluate('navigator.clipboard.readText()')).toContain('TypeError');
    await desk.page.unroute(domains);
    await button('Reload').click();
    await desk.page.getByRole('heading', { name: 'Domains' }).waitFor();
    // The error is intended and appears in the log.
    const meant = desk.watched.faults.splice(0);
    expect(meant.every((fault) => fault.includes('TypeError'))).toBe(true);
  });

  it('a stopped nameserver is reported as late by name, and the other five are not', async () => {
    const { name } = await desk.openDomain();
    await desk.untilPublished();
    const pid = desk.platform.pidOf('nameserver');
    await fillRecord('late', '192.0.2.4');
    process.kill(pid, 'SIGSTOP');
    try {
      await button('Add record').click();
      // The nameserver counts as silent after ten seconds.
      await expectShown(/^Publishing: 5 of 6 nameservers; not yet on ns1-\d|^Published on 5 of 6/);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expectShown(/^Published on 6 of 6/);
    expect(await desk.page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  }, 120_000);

  it('after kill -9 of a nameserver during a change, all six have the change when it is back', async () => {
    await desk.openDomain();
    await desk.untilPublished();
    desk.platform.kill('nameserver');
    await addRecord('again', '192.0.2.6');
    await desk.row('192.0.2.6').waitFor();
    await expectShown(/^Published on 6 of 6/);
  }, 90_000);

  it('after kill -9 of dns-api during a batch, it is done once, in one step, without any help', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `h${index} IN A 198.51.100.7`);
    const { id } = await desk.openDomain(lines.join('\n') + '\n');
    desk.watched.expectRefusals();
    await desk.page.locator('[role=grid][aria-rowcount="501"]').waitFor();
    await desk.page.getByRole('checkbox', { name: 'Select all' }).check();
    await button('Set TTL').click();
    await dialog().getByLabel('TTL', { exact: true }).fill('120');
    await dialog().getByText('120', { exact: false }).first().waitFor();
    const sent = desk.page.waitForRequest(
      (request) => request.method() === 'POST' && /\/batch$/.test(new URL(request.url()).pathname),
    );
    await button('Apply').click();
    await sent;
    desk.platform.kill('dns-api');
    await dialog().waitFor({ state: 'detached', timeout: 30_000 });
    await until(async () => {
      const { value } = await desk.client.call('listRecords', {
        path: { domainId: id },
        query: { limit: 1000 },
      });
      return value.records.filter(({ ttl }) => ttl === 120).length === 500;
    });
    const { value } = await desk.client.call('listChanges', {
      path: { domainId: id },
      query: { group: 'serial' },
    });
    expect(value.steps?.filter(({ counts }) => counts['record-update'] === 500)).toHaveLength(1);
  }, 90_000);

  it('without a stream of events, the states arrive by polling, one after the other', async () => {
    const { name } = await desk.makeDomain();
    await desk.openAs(desk.credentials());
    desk.watched.expectRefusals();
    await desk.watched.context.route('**/v1/events*', (route) => route.abort());
    await desk.show(`domains/${name}`);
    await addRecord('asked', '192.0.2.3');
    await desk.row('192.0.2.3').waitFor();
    await expectShown(/^Published on 6 of 6/);
  });

  it('after a cut stream of events, changes from the meantime are shown when it is back', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').waitFor();
    await desk.watched.context.setOffline(true);
    await desk.client.records(id).add({ name: `gap.${name}.`, type: 'A', data: '192.0.2.44' });
    await desk.watched.context.setOffline(false);
    await expectShown('192.0.2.44');
  }, 90_000);

  it('a domain that another user deletes disappears', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').waitFor();
    await desk.client.domains.delete(id);
    await expectShown(`${name} was not found`);
  });

  it('shows an unknown address as not found', async () => {
    await desk.openAs(desk.credentials());
    await desk.show('nothing');
    await expectShown('Page not found');
  });
});

inBrowser('several at once', () => {
  afterEach(async () => {
    expect(await desk.close()).toEqual({ leaks: [], faults: [] });
  });
  const edit = async (page: Page, data: string) => {
    const row = page.getByRole('row').filter({ hasText: '192.0.2.1' });
    await row.getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('IPv4 address').fill(data);
  };
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

  it('in two browsers with one record, the second one shows both values, and its user chooses', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const other = await desk.openOther();
    const theirs = await other.page(`/p/${desk.projectId()}/domains/${name}`);
    other.expectRefusals();
    await edit(desk.page, '192.0.2.11');
    await edit(theirs, '192.0.2.12');
    await save(desk.page);
    await desk.row('192.0.2.11').waitFor();
    await save(theirs);
    await theirs
      .getByRole('heading', { name: 'This record was changed in the meantime' })
      .waitFor();
    await theirs.getByRole('radio', { name: 'Data: Their version' }).check();
    await theirs.getByRole('button', { name: 'Save selection' }).click();
    await theirs
      .getByRole('heading', { name: 'This record was changed' })
      .waitFor({ state: 'detached' });
    expect(await desk.records(id)).toContain(`www.${name}. A 192.0.2.11`);
  });

  it("each user sees the other's changes and their author", async () => {
    const { name } = await desk.openDomain(TWO);
    const other = await desk.openOther();
    const theirs = await other.page(`/p/${desk.projectId()}/domains/${name}`);
    await theirs.getByRole('row').filter({ hasText: '192.0.2.1' }).waitFor();
    await addRecord('seen', '192.0.2.70');
    await theirs.getByRole('row').filter({ hasText: '192.0.2.70' }).waitFor();
    const told = theirs.getByText(`demo changed 1 record in ${name}`);
    await told.waitFor();
    expect(await told.count()).toBe(1);
  });

  it('two tabs in two projects work independently in one session', async () => {
    const { name } = await desk.openDomain();
    const admin = await desk.administration();
    const made = await admin.call('createProjectV3', {
      body: { project: { name: `second-${desk.nextNumber()}` } },
    });
    const second = made.value.project.id;
    operate(desk.platform, 'service', 'activate', 'DNS', second);
    const users = await admin.call('listUsersV3', { query: { name: 'demo' } });
    await desk.grant(admin, users.value.users[0]?.id ?? '', 'dns-admin', second);
    const tab = await desk.watched.page(`/p/${second}/domains`);
    const own = `own-${desk.nextNumber()}.example`;
    await tab.getByRole('button', { name: 'New domain' }).first().click();
    await tab.getByRole('dialog').getByLabel('Name', { exact: true }).fill(own);
    await tab.getByRole('button', { name: 'Create domain' }).click();
    await tab.getByRole('heading', { name: own, level: 1 }).waitFor();
    await addRecord('first', '192.0.2.21');
    await desk.row('192.0.2.21').waitFor();
    await tab.getByRole('link', { name: 'Domains', exact: true }).first().click();
    await tab.getByText('1 domain', { exact: true }).waitFor();
    expect(await tab.getByText(name).count()).toBe(0);
    await desk.untilPublished();
  });

  it('more than a thousand changes at once take two steps, and one undo for both', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => `h${index} 60 IN A 198.51.100.7`);
    const { id } = await desk.openDomain(lines.join('\n') + '\n');
    await desk.page.locator('[role=grid][aria-rowcount="1201"]').waitFor();
    await desk.page.getByRole('checkbox', { name: 'Select all' }).check();
    await button('Delete').click();
    await dialog().getByLabel('Number of records').fill('1200');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.page.getByText('No records yet').waitFor({ timeout: 30_000 });
    await undo();
    await desk.page.locator('[role=grid][aria-rowcount="1201"]').waitFor();
    expect(await desk.records(id)).toHaveLength(1_200);
  }, 90_000);

  inLongForm(
    'more records than a browser holds: the service looks through all of them',
    async () => {
      const lines = Array.from(
        { length: 20_010 },
        (_, index) => `z${String(index).padStart(5, '0')} 60 IN A 198.51.100.${index % 250}`,
      );
      await desk.openDomain(lines.join('\n') + '\n');
      await desk.page
        .getByText(/^20,010 records Only the first 20,000/)
        .waitFor({ timeout: 60_000 });
      await desk.page.getByRole('searchbox').fill('z20009');
      await desk.row('z20009').waitFor();
      await desk.page.getByText('1 of 20,010 records').waitFor();
      await desk.page.getByRole('searchbox').fill('nothing of that kind');
      await expectShown('No matching records');
    },
    120_000,
  );
});

inBrowser('on the way', () => {
  afterEach(async () => {
    expect(await desk.close()).toEqual({ leaks: [], faults: [] });
  });

  it('collected changes survive other screens and a reload, are applied in one step, and are undone in one', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const before = await desk.records(id);
    await button('Collect changes').click();
    await addRecord('api', '192.0.2.3');
    await desk.page.getByText('1 change to review').waitFor();
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.10');
    await button('Save').click();
    await desk
      .row('192.0.2.2')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await desk.page.getByText('3 changes to review').waitFor();
    expect(await desk.records(id)).toEqual(before);
    expect(await desk.findBarriers()).toEqual([]);
    await desk.page.getByRole('link', { name: 'History' }).click();
    await desk.page.reload();
    await desk.page.getByRole('link', { name: 'Records' }).click();
    await button('Review').click();
    const list = desk.page.getByRole('list', { name: 'Preview' });
    await list.getByText('192.0.2.10').waitFor();
    await dialog().getByText('Show commands').click();
    expect(await dialog().getByLabel('curl', { exact: true }).innerText()).toContain(
      '"confirm":true',
    );
    expect(await desk.findBarriers()).toEqual([]);
    await button('Apply').click();
    await desk.page.getByText('3 changes saved').waitFor();
    expect(await desk.records(id)).toEqual([
      `api.${name}. A 192.0.2.3`,
      `www.${name}. A 192.0.2.10`,
    ]);
    await undo();
    await untilRecords(id, before);
    expect(await desk.page.getByText('to review').count()).toBe(0);
  });

  it('a record is disabled and enabled, gets tags and an expiry, is found by them, and all changes are undone', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const { page } = desk;
    const before = await desk.records(id);
    await desk.row('192.0.2.1').getByRole('button', { name: 'Disable www A' }).click();
    await page.getByText('www A 192.0.2.1 disabled').waitFor();
    await untilRecords(id, [`mail.${name}. A 192.0.2.2`]);
    await desk.row('192.0.2.1').getByText('disabled', { exact: true }).waitFor();
    await undo();
    await untilRecords(id, before);
    // The editor of a disabled record shows fields at once that are collapsed for others.
    await desk
      .row('192.0.2.1')
      .getByText('disabled', { exact: true })
      .waitFor({ state: 'detached' });
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await page.getByText('Tags, expiry, status').click();
    await page.getByLabel('Tags').fill('shop, office');
    await page.getByLabel('Expires').fill('2099-01-31T12:00:00');
    await button('Save').click();
    await desk.row('192.0.2.1').getByText(/^in /).waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    await desk.row('192.0.2.1').getByRole('button', { name: 'shop' }).click();
    await page.getByText('1 of 2 records').waitFor();
    await page.getByRole('searchbox').fill('');
    // By keyboard, and for several records.
    await desk.row('192.0.2.2').focus();
    await page.keyboard.press('o');
    await page.getByText('mail A 192.0.2.2 disabled').waitFor();
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button('Disable').click();
    await page.getByLabel('Number of records').fill('2');
    expect(await desk.findBarriers()).toEqual([]);
    await button('Apply').click();
    await untilRecords(id, []);
    // The selection ends with the change.
    await button('Enable').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await button('Enable').click();
    await button('Apply').click();
    await untilRecords(id, before);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Details' }).nth(1).click();
    await page
      .getByText(/disabled: www/)
      .first()
      .waitFor();
  });

  it('an open editor is open again after a reload, with the input; a log-out removes it', async () => {
    await desk.openDomain(TWO);
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.123');
    await desk.page.reload();
    expect(await desk.page.getByLabel('IPv4 address').inputValue()).toBe('192.0.2.123');
    await button('Log out').click();
    await desk.page.getByLabel('User name').waitFor();
    expect(await desk.page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  it.each(FORMS)(
    'Ctrl-K opens a screen, a domain and a record, and runs actions, by the keyboard: %s, %i px',
    async (theme, width) => {
      const { name, id } = await desk.openDomain(TWO, { theme, width });
      const { page } = desk;
      const before = await desk.records(id);
      await desk.row('192.0.2.1').waitFor();
      const search = async (text: string, option: RegExp) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: /^Page, domain, record/ }).fill(text);
        await page.getByRole('option', { name: option }).first().waitFor();
      };
      await search('history', /^History/);
      expect(await desk.findBarriers()).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'History', level: 2 }).waitFor();
      await search(`www.${name}`, /A 192\.0\.2\.1/);
      await page.getByRole('option', { name: /A 192\.0\.2\.1/ }).click();
      await page.getByText('1 of 2 records').waitFor();
      await search('usage', /^Usage/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Usage' }).waitFor();
      await search(name, new RegExp(`^${name}`));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      const begun = page.waitForEvent('download');
      await search('export', /^Export zone file/);
      await page.keyboard.press('Enter');
      expect((await begun).suggestedFilename()).toBe(`${name}.zone`);
      await search('new record', /^New record/);
      await page.keyboard.press('Enter');
      await page.getByRole('form').getByLabel('Name', { exact: true }).fill('new');
      await page.getByLabel('IPv4 address').fill('192.0.2.5');
      await button('Add record').click();
      await desk.row('192.0.2.5').waitFor();
      await search('undo', /^Undo\s*new A \S+ added/);
      await page.keyboard.press('Enter');
      await untilRecords(id, before);
      await search('new access', /^New access key/);
      await page.keyboard.press('Enter');
      await dialog().getByText('Rights', { exact: true }).waitFor();
    },
  );

  it('an undo in the palette disappears with its session', async () => {
    await desk.openDomain(TWO);
    const { page, watched } = desk;
    watched.expectRefusals();
    const options = async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Page, domain, record/ }).fill('o');
      await page.getByRole('option', { name: /^Log out/ }).waitFor();
      const all = await page.getByRole('option').allInnerTexts();
      await page.keyboard.press('Escape');
      return all.join();
    };
    await addRecord('new', '192.0.2.5');
    await desk.row('192.0.2.5').waitFor();
    expect(await options()).toContain('Undo');
    await watched.context.clearCookies();
    // Dispatched without the mouse: the page may have already shown that the session has expired.
    await page.getByRole('link', { name: 'History' }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    await page.locator('input[name=password]').fill(desk.credentials().password);
    await button('Log in').click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'History', level: 2 }).waitFor();
    expect(await options()).not.toContain('Undo');
  });

  it.each(FORMS)('a name of 253 octets is accessible: %s, %i px', async (theme, width) => {
    const end = `${desk.nextNumber()}.example`;
    // Text in which no line can break.
    const long = 'longname'.repeat(8).slice(1);
    const name = `${[long, long, long, long.slice(0, 60 - end.length)].join('.')}.${end}`;
    expect(name).toHaveLength(253);
    const email = 'hostmaster@example.com';
    const { value } = await desk.client.domains.create({ name: `${name}.`, email });
    const record = { name: `${name}.`, type: 'CAA', data: `0 issue "${long}.example"` };
    await desk.client.records(value.id).add(record);
    await desk.openAs(desk.credentials(), { theme, width });
    await desk.show('domains?q=longname');
    for (const screen of ['', '/history', '/health', '/settings']) {
      await desk.page.getByRole('heading').first().waitFor();
      expect(await desk.findBarriers()).toEqual([]);
      await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains/${name}${screen}`);
      await desk.page.getByRole('heading', { level: 1 }).waitFor();
    }
    await button('Delete domain').click();
    await dialog().waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    // The page would be notified and query the deleted domain.
    await desk.page.close();
    await desk.client.domains.delete(value.id);
  });

  it('a prepared change fixes the findings of the check', async () => {
    const other = await desk.makeDomain();
    const { name, id } = await desk.makeDomain(
      `www 60 IN A 192.0.2.1\nwww 300 IN A 192.0.2.2\nshop IN CNAME store\npay IN CNAME pay.${other.name}.\n`,
    );
    await desk.openAs(desk.credentials());
    await desk.show(`domains/${name}/health`);
    const { page } = desk;
    const fix = async (part: string) => {
      await page.getByRole('link', { name: 'Health' }).click();
      const found = page.getByRole('listitem').filter({ hasText: part });
      await found.getByRole('button', { name: 'Fix' }).click();
    };
    await page.getByText('mixed-ttl').waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    await fix('mixed-ttl');
    await dialog().getByRole('button', { name: 'Apply' }).click();
    await until(async () => {
      const { value } = await desk.client.call('listRecords', {
        path: { domainId: id },
        query: { name: `www.${name}.` },
      });
      return value.records.every(({ ttl }) => ttl === 60);
    });
    await fix(`store.${name}`);
    await page
      .getByRole('form', { name: 'New record' })
      .getByLabel('IPv4 address')
      .fill('192.0.2.3');
    await button('Add record').click();
    await until(async () => (await desk.records(id)).includes(`store.${name}. A 192.0.2.3`));
    await fix(`pay.${other.name}`);
    await page.getByLabel('Target').fill('www');
    await button('Save').click();
    await until(async () => (await desk.records(id)).includes(`pay.${name}. CNAME www.${name}.`));
    await page.getByRole('link', { name: 'Health' }).click();
    // The check is cached for some seconds.
    await until(async () =>
      (await desk.client.domains.check(id)).findings.every(({ about }) => about === undefined),
    );
    await button('Check again').click();
    // The page shows the previous findings until the new response arrives.
    await until(async () => (await page.getByRole('button', { name: 'Fix' }).count()) === 0);
  });

  it('a DNAME record is written and undone; a name below it is refused at the field', async () => {
    const { name, id } = await desk.openDomain();
    await button('New record').first().click();
    const form = desk.page.getByRole('form');
    await form.getByLabel('Type').selectOption('DNAME');
    await form.getByLabel('Name', { exact: true }).fill('moved');
    await desk.page.getByLabel('Target').fill('example.net');
    await button('Add record').click();
    await untilRecords(id, [`moved.${name}. DNAME example.net.`]);
    desk.watched.expectRefusals();
    await addRecord('www.moved', '192.0.2.1');
    await expectShown(/is below the DNAME record of/);
    await untilRecords(id, [`moved.${name}. DNAME example.net.`]);
    await button('Cancel').first().click();
    await undo();
    await untilRecords(id, []);
  });

  it('necessary changes at a primary are explained in both languages', async () => {
    const { name, id } = await desk.makeDomain();
    const primary = new HeldPrimary(`${name}.`);
    const path = { domainId: id };
    const stateNow = async () => (await desk.client.call('getPrimaries', { path })).value;
    try {
      const primaries = [await primary.start()];
      await desk.client.call('setPrimaries', { path, body: { primaries } });
      await until(async () => (await stateNow()).serial === 1);
      // NSEC3PARAM with 101 iterations.
      const rdata = Buffer.from('0100006500', 'hex');
      primary.more = [{ name: nameToWire(`${name}.`), type: 51, class: 1, ttl: 0, rdata }];
      primary.version++;
      await desk.client.call('refreshDomain', { path });
      await until(async () => (await stateNow()).reason === 'nsec3-iterations');
      await desk.openAs(desk.credentials());
      for (const screen of ['', '/health', '/publish']) {
        await desk.show(`domains/${name}${screen}`);
        await expectShown('The primaries do not provide the latest version');
        await expectShown('its NSEC3 records have too many iterations');
        await expectShown('Sign the zone with 0 iterations');
        await expectShown('127.0.0.1: its NSEC3 records have 101 iterations');
        expect(await desk.findBarriers()).toEqual([]);
      }
      await desk.page.getByLabel('Language').selectOption('de');
      await expectShown('Ihre NSEC3-Einträge haben zu viele Iterationen');
      await expectShown('Signieren Sie die Zone mit 0 Iterationen');
      await desk.page.getByLabel('Sprache').selectOption('en');
      primary.more = [];
      primary.version++;
      await button('Query primaries').click();
      await expectShown('This is a secondary domain: its records come from its primaries.');
      expect((await stateNow()).serial).toBe(3);
    } finally {
      primary.stop();
    }
  });

  it('a secondary zone without a transfer can be refreshed, and the reason for the failure is shown', async () => {
    const { name, id } = await desk.makeDomain();
    const primary = new HeldPrimary(`${name}.`);
    const path = { domainId: id };
    try {
      const held = primary.holdNext('AXFR');
      const primaries = [await primary.start()];
      await desk.client.call('setPrimaries', { path, body: { primaries } });
      await held;
      await desk.openAs(desk.credentials());
      for (const screen of ['health', 'publish']) {
        await desk.show(`domains/${name}/${screen}`);
        await expectShown('The zone is being requested from its primaries');
      }
    } finally {
      primary.stop();
    }
    // A check is remembered for some seconds.
    await until(
      async () => (await desk.client.domains.check(id)).primaries?.reason === 'unreachable',
    );
    for (const screen of ['health', 'publish']) {
      await desk.show(`domains/${name}/${screen}`);
      await desk.page.reload();
      await expectShown('The primaries have not provided the zone yet');
      await expectShown('The primary cannot be reached or closes the connection.');
      expect(await desk.findBarriers()).toEqual([]);
    }
    await desk.page.getByLabel('Language').selectOption('de');
    await expectShown('Die Primärserver haben die Zone noch nicht geliefert');
  });

  it('an expired secondary zone is shown with SERVFAIL and the last confirmation', async () => {
    const { name, id } = await desk.makeDomain();
    const primary = new HeldPrimary(`${name}.`);
    primary.expireSeconds = 1;
    const path = { domainId: id };
    const stateNow = async () => (await desk.client.call('getPrimaries', { path })).value;
    try {
      const primaries = [await primary.start()];
      await desk.client.call('setPrimaries', { path, body: { primaries } });
      await until(async () => (await stateNow()).serial === 1);
    } finally {
      primary.stop();
    }
    await until(async () => {
      await desk.client.call('refreshDomain', { path });
      return (await desk.client.domains.check(id)).primaries?.content === 'expired';
    });
    await desk.openAs(desk.credentials());
    for (const screen of ['health', 'publish']) {
      await desk.show(`domains/${name}/${screen}`);
      await expectShown('The zone has expired, so queries for it get SERVFAIL');
      await expectShown(/^Last confirmed by a primary:/);
      expect(await desk.findBarriers()).toEqual([]);
    }
    await desk.page.getByLabel('Language').selectOption('de');
    await expectShown('Die Zone ist abgelaufen');
  });

  it('before a deletion, shows whether resolvers still query the domain here, if that is known', async () => {
    const { name, id } = await desk.makeDomain();
    await desk.openAs(desk.credentials());
    await desk.show(`domains/${name}/settings`);
    await button('Delete domain').click();
    await dialog()
      .getByText(/^Still delegated here/)
      .waitFor();
    const found = async (answer: object) => {
      const json = { ...(await desk.client.domains.check(id)), ...answer };
      await desk.page.route('**/check', (route) => route.fulfill({ json }));
      const checked = desk.page.waitForResponse('**/check');
      await desk.page.reload();
      await button('Delete domain').click();
      await checked;
      await desk.page.unroute('**/check');
    };
    const elsewhere = { severity: 'error', code: 'not-delegated', message: 'Nobody.', action: '' };
    await found({ findings: [elsewhere] });
    await dialog()
      .getByText(/^Not delegated here/)
      .waitFor();
    await found({ checked: [] });
    await dialog().getByLabel(`Type ${name}`).waitFor();
    expect(
      await dialog()
        .getByText(/delegated here/)
        .count(),
    ).toBe(0);
  });

  it('the filters of the history by type and by user are in the address', async () => {
    const { name, id } = await desk.makeDomain(TWO);
    await desk.client.records(id).add({ name: `txt.${name}.`, type: 'TXT', data: 'a' });
    const admin = await desk.administration();
    await admin.records(id).add({ name: `new.${name}.`, type: 'A', data: '192.0.2.5' });
    await desk.openAs(desk.credentials());
    await desk.show(`domains/${name}/history`);
    const { page } = desk;
    const steps = () => button('Details').count();
    await until(async () => (await steps()) === 4);
    await page.getByLabel('Type').selectOption('A');
    await until(async () => (await steps()) === 2);
    await page.getByLabel('User').selectOption('demo');
    await until(async () => (await steps()) === 1);
    expect(await desk.findBarriers()).toEqual([]);
    await page.reload();
    await until(async () => (await steps()) === 1);
    await expectShown(/^2 records added/);
    await page.getByLabel('Type').selectOption('MX');
    await expectShown('No matching changes');
    await page.getByLabel('User').selectOption('All users');
    await page.getByLabel('Type').selectOption('All types');
    await until(async () => (await steps()) === 4);
    await page.getByRole('link', { name: 'Publication' }).click();
    const delays = page.getByRole('table', { name: 'Publication delay' });
    await delays
      .getByRole('row')
      .filter({ hasText: /ns1-6.* ms/ })
      .waitFor();
    expect(await desk.findBarriers()).toEqual([]);
  });

  it('Shift selects a range, and Ctrl-A everything, in lists of records and of domains', async () => {
    const lines = [1, 2, 3, 4].map((number) => `h${number} IN A 192.0.2.${number}\n`);
    await desk.openDomain(lines.join(''));
    const { page } = desk;
    const pick = async (name: RegExp, index: number, ...modifiers: 'Shift'[]) => {
      await page.getByRole('checkbox', { name }).nth(index).click({ modifiers });
    };
    await pick(/^Select h/, 0);
    await pick(/^Select h/, 2, 'Shift');
    await expectShown('3 records selected');
    await desk.row('192.0.2.4').focus();
    await page.keyboard.press('Shift+ArrowUp');
    await expectShown('2 records selected');
    await page.keyboard.press('Control+a');
    await expectShown('4 records selected');
    await page.keyboard.press('Escape');
    await page.getByText('4 records selected').waitFor({ state: 'detached' });
    for (let count = 0; count < 2; count++) await desk.makeDomain();
    await desk.show('domains?q=scenario-');
    const list = desk.page.getByRole('checkbox', { name: /^Select scenario/ });
    await list.nth(0).click();
    await list.nth(2).click({ modifiers: ['Shift'] });
    await expectShown('3 domains selected');
  });

  it('two serials are compared, and the zone file of one is available', async () => {
    const { name, id } = await desk.openDomain(TWO);
    await desk.client.records(id).add({ name: `new.${name}.`, type: 'A', data: '192.0.2.5' });
    await desk.page.getByRole('link', { name: 'History' }).click();
    await button('Compare versions').click();
    const changes = dialog().getByRole('list', { name: 'Differences' });
    await changes.getByText(`new.${name}.`).waitFor();
    expect(await changes.getByRole('listitem').count()).toBe(1);
    await dialog().getByLabel('To serial').selectOption({ index: 1 });
    await dialog().getByText('The records are identical.').waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    await dialog().getByRole('radio', { name: 'Zone file at a serial' }).check();
    const zone = dialog().getByLabel('Zone file at a serial');
    await until(async () => (await zone.last().inputValue()).includes(`mail.${name}.`));
    expect(await zone.last().inputValue()).not.toContain(`new.${name}.`);
  });

  it.each(FORMS)('creates a key with its own rules: %s, %i px', async (theme, width) => {
    const { name, id } = await desk.makeDomain(TWO);
    await desk.openAs(desk.credentials(), { theme, width });
    await desk.show('keys');
    await button('New key').click();
    await dialog().getByLabel('Name', { exact: true }).fill(`rules ${width}`);
    await desk.page.getByLabel('Rights').selectOption('custom');
    await button('Add rule').click();
    const [first, second] = [1, 2].map((number) =>
      desk.page.getByRole('group', { name: `Rule ${number}` }),
    );
    await first?.getByLabel('Rights').selectOption('read');
    await second?.getByLabel('Domain').selectOption(`${name}.`);
    await second?.getByLabel('Names').fill('www');
    await second?.getByLabel('Types').fill('A, aaaa');
    await desk.page.getByLabel('Allowed networks').fill('127.0.0.0/8');
    expect(await desk.findBarriers()).toEqual([]);
    await button('Create key').click();
    await button('I have saved it').click();
    const rights = desk.row(`rules ${width}`);
    await rights.getByText('from 127.0.0.0/8').waitFor();
    await rights.getByText('A AAAA').waitFor();
    expect(id).not.toBe('');
  });

  it.each([
    ['MX', { Priority: '10', 'Mail server': 'mail' }, 'MX mail.?'],
    ['SRV', { Priority: '1', Weight: '5', Port: '5060', Target: 'mail' }, 'SRV 5 5060 mail.?'],
    ['CAA', { Value: 'ca.example' }, 'CAA 0 issue "ca.example"'],
    ['TXT', { Text: 'hello "world"' }, 'TXT'],
    ['', { Type: 'HINFO', Data: '"a machine" "a system"' }, 'HINFO "a machine" "a system"'],
  ])('has a form for a type: %s', async (type, fields, expected) => {
    const { name, id } = await desk.openDomain(TWO);
    await button('New record').first().click();
    const form = desk.page.getByRole('form', { name: 'New record' });
    await form.getByLabel('Type').selectOption(type);
    await form.getByLabel('Name', { exact: true }).fill(type === 'SRV' ? '_sip._udp' : 'typed');
    for (const [label, value] of Object.entries(fields))
      await form.getByLabel(label, { exact: true }).fill(value);
    await button('Add record').click();
    await until(async () =>
      (await desk.records(id)).some((line) => line.includes(expected.replace('?', `${name}.`))),
    );
  });

  itWithCurl('a new and a changed record as commands, which do what saving would do', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const person = await Person.create();
    const { token } = await desk.client.session();
    const env = { ZONEWRIGHT_DNS_URL: desk.demo['ZONEWRIGHT_DNS_URL'] ?? '', TOKEN: token };
    const read = async (program: string) => {
      await desk.page.getByText('Show commands').click();
      return await desk.page.getByLabel(program, { exact: true }).innerText();
    };
    try {
      const demo = join(desk.platform.dataFolder, 'demo.env');
      await person.type(`zonewright login --env-file ${demo} --quiet`);
      await fillRecord("o'clock", '192.0.2.7');
      const added = await read('zonewright');
      expect(added).toBe(`zonewright record add ${name}. 'o'\\''clock.${name}.' A 192.0.2.7`);
      expect(await desk.findBarriers()).toEqual([]);
      await desk.page.getByLabel('Name', { exact: true }).fill('typed');
      await desk.page.getByLabel('Description').fill("a 'note'");
      const noted = await desk.page.getByLabel('zonewright', { exact: true }).innerText();
      expect(await person.type(noted)).toContain('"status": "done"');
      await button('Cancel').click();
      await desk.page.getByText('192.0.2.7').waitFor();
      await button(/^Edit mail/).click();
      await desk.page.getByLabel('IPv4 address').fill('192.0.2.8');
      expect(await person.type(await read('curl'), env)).toContain('"status":"done"');
      await until(async () => (await desk.records(id)).some((line) => line.includes('192.0.2.8')));
      await button('Cancel').click();
      await desk.page.getByRole('link', { name: 'History' }).click();
      await button('Revert').first().click();
      expect(await read('zonewright')).toMatch(
        new RegExp(`^zonewright revert ${name} \\d+ --yes$`),
      );
      expect(await desk.findBarriers()).toEqual([]);
      const curl = await desk.page.getByLabel('curl', { exact: true }).innerText();
      expect(await person.type(curl, env)).toContain('"serial":');
      await until(async () => (await desk.records(id)).some((line) => line.includes('192.0.2.2')));
    } finally {
      await person.leave();
    }
  });

  describe('what dialogs show as commands does what they do', () => {
    let person: Person;
    beforeEach(async () => {
      person = await Person.create();
    });
    afterEach(async () => {
      await person.leave();
    });
    /** Returns the command that is shown for a program; in a dialog if there are several. */
    const shown = async (program: string, part: string, page = desk.page) => {
      const text = page.getByLabel(program, { exact: true }).filter({ hasText: part });
      return (await text.last().textContent()) ?? '';
    };
    const both = async (part: string, page = desk.page) =>
      [await shown('zonewright', part, page), await shown('curl', part, page)] as const;
    /** Runs all commands, each in its own shell. Unexpected output is an error. */
    const runAs = async (
      client: Client,
      env: Readonly<Record<string, string>>,
      ...all: string[]
    ) => {
      const { token } = await client.session();
      const known = { ...env, TOKEN: token };
      const answers = await Promise.all(all.map((text) => person.type(`set -e; ${text}`, known)));
      for (const answer of answers) expect(answer).not.toMatch(/\[\w+\]\n$|\{"(code|error)":/);
    };
    const run = (...all: string[]) => runAs(desk.client, desk.demo, ...all);
    const line = (text: string, at: number) => text.split('\n')[at] ?? '';

    itWithCurl(
      'of domains: new, from a file, several changed, exported and deleted; the settings of one',
      async () => {
        await desk.openAs(desk.credentials());
        await desk.show('domains');
        const { page } = desk;
        const prefix = `told-${desk.nextNumber()}`;
        const named = (end: string) => `${prefix}${end}.example`;
        const [a, b, c, d] = [named('a'), named('b'), named('c'), named('d')];
        const names = [a, b, c, d];
        const get = async (name: string) => (await desk.client.domains.get(`${name}.`)).value;
        await button('New domain').first().click();
        const fill = async (name: string) => {
          await dialog().getByLabel('Name', { exact: true }).fill(name);
          return await both(name);
        };
        const [byProgram] = await fill(a);
        const [, byCurl] = await fill(b);
        expect(await shown('Terraform', b)).toContain('resource "openstack_dns_zone_v2"');
        await page.getByRole('radio', { name: 'From a zone file' }).check();
        await page.getByLabel('Zone file', { exact: true }).fill('www 60 IN TXT "it\'s 5"\n');
        const [fileByProgram] = await fill(c);
        const [, fileByCurl] = await fill(d);
        expect(await page.getByLabel('Terraform', { exact: true }).count()).toBe(0);
        await run(byProgram, byCurl, fileByProgram, fileByCurl);
        for (const name of [c, d])
          expect((await desk.records((await get(name)).id)).join()).toMatch(
            /^www\..* TXT .*it's 5/,
          );

        await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains?q=${prefix}`);
        const all = new Map<string, string>();
        for (const name of names) {
          await page.getByRole('checkbox', { name: `Select ${name}` }).check();
          all.set(name, (await get(name)).id);
        }
        expect(await desk.findBarriers()).toEqual([]);
        const [files, filesByCurl] = await both(`${d}.zone`);
        await run(line(files, 0), line(filesByCurl, 3));
        for (const name of [a, d])
          expect(readFileSync(join(person.home, `${name}.zone`), 'utf8')).toMatch(/SOA/);
        await button('Change e-mail and TTL').click();
        await dialog().getByLabel('TTL in seconds').fill('7200');
        const [changes, changesByCurl] = await both('7200');
        await run(line(changes, 0), line(changesByCurl, 1));
        for (const name of [a, b]) expect((await get(name)).ttl).toBe(7200);
        await button('Cancel').click();
        await button('Delete').click();
        const [ends, endsByCurl] = await both('delete');
        await run(line(ends, 0), line(endsByCurl, 1));
        for (const name of [a, b]) await expect(get(name)).rejects.toThrow(/no domain/);

        await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains/${c}/settings`);
        await page.getByLabel('Description').fill("it's ${mine}");
        const [setting] = await both('mine');
        expect(await shown('Terraform', 'mine')).toContain(`id = "${all.get(c) ?? ''}"`);
        await run(setting);
        expect((await get(c)).description).toBe("it's ${mine}");
      },
    );

    itWithCurl('of an import, keys and members; a password stands in none', async () => {
      const { name, id } = await desk.openDomain(TWO);
      await desk.paste('ftp 60 IN CNAME www\n');
      const [applied] = await both('ftp');
      await run(applied);
      expect(await desk.records(id)).toContain(`ftp.${name}. CNAME www.${name}.`);
      await dialog().getByRole('textbox').fill('bad IN A 192.0.2.300\nwww 60 IN A 192.0.2.9\n');
      await dialog().getByRole('radio', { name: 'Replace all records' }).check();
      await dialog().getByRole('checkbox').check();
      const asked = await dialog()
        .getByText(/type the number of records: \d+/)
        .textContent();
      await dialog()
        .getByLabel('Number of records')
        .fill(/records: (\d+)/.exec(asked ?? '')?.[1] ?? '');
      const [, replaced] = await both('192.0.2.9');
      await run(replaced);
      expect(await desk.records(id)).toEqual([`www.${name}. A 192.0.2.9`]);

      await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/keys`);
      const keysOf = async (part: string) =>
        (await desk.client.keys.list()).filter(({ otherAttributes: { name: called } }) =>
          called?.startsWith(part),
        );
      await button('New key').click();
      const part = `told ${desk.nextNumber()}`;
      const fill = async (called: string) => {
        await dialog().getByLabel('Name', { exact: true }).fill(called);
        return await both(called);
      };
      const [key] = await fill(`${part} a`);
      const [, keyByCurl] = await fill(`${part} b`);
      await run(key, keyByCurl);
      for (const end of ['a.env', 'b.json'])
        expect(statSync(join(person.home, `${part} ${end}`.replaceAll(' ', '-'))).mode & 0o77).toBe(
          0,
        );
      await desk.page.reload();
      const deletions: string[] = [];
      for (const [at, { accessKeyId }] of (await keysOf(part)).entries()) {
        await desk
          .row(accessKeyId)
          .getByRole('button', { name: /^Delete/ })
          .click();
        deletions.push((await both(accessKeyId))[at] ?? '');
        await button('Cancel').click();
      }
      expect(deletions).toHaveLength(2);
      await run(...deletions);
      expect(await keysOf(part)).toEqual([]);
      await desk.close();

      const as = await desk.administrator();
      const admin = await desk.administration();
      const env = {
        ZONEWRIGHT_IDENTITY_URL: desk.demo['ZONEWRIGHT_IDENTITY_URL'] ?? '',
        ZONEWRIGHT_TENANT_ID: desk.projectId(),
        ZONEWRIGHT_USERNAME: as.username,
        ZONEWRIGHT_PASSWORD: as.password,
        PASSWORD: 'the first password',
      };
      const { username } = await desk.addMember();
      await desk.openAs(as);
      await desk.show('members');
      await button('Invite').click();
      const invite = async (called: string) => {
        await desk.page.getByLabel('User name').fill(called);
        return await both(called);
      };
      const [invited] = await invite(`${username}-a`);
      const [, invitedByCurl] = await invite(`${username}-b`);
      await desk.page.getByRole('radio', { name: 'Existing user' }).check();
      await desk.page.getByLabel('User name').fill(username);
      const [given] = await both('PUT');
      await runAs(admin, env, invited, invitedByCurl, given);
      await desk.openSession({ username: `${username}-a`, password: env.PASSWORD });
      await desk.page.reload();
      const removals: string[] = [];
      for (const [at, called] of [`${username}-a`, `${username}-b`, username].entries()) {
        await button(`Remove dns-admin from ${called}`).click();
        removals.push((await both('DELETE'))[at % 2] ?? '');
        await button('Cancel').click();
      }
      await runAs(admin, env, ...removals);
      await desk.page.reload();
      await desk.row('demo').getByText('dns-admin').waitFor();
      expect(await desk.row(username).count()).toBe(0);
    });
  });

  it('a name in another script is shown as read, and kept as sent', async () => {
    await desk.openAs(desk.credentials());
    await desk.show('domains');
    await button('New domain').first().click();
    await dialog().getByLabel('Name', { exact: true }).fill('bücher.example');
    await dialog().getByText('xn--bcher-kva.example', { exact: true }).waitFor();
    await button('Create domain').click();
    await desk.page.getByRole('heading', { name: 'bücher.example', level: 1 }).waitFor();
    await expectShown('xn--bcher-kva.example');
  });

  it('the filter is in the address, and columns sort in both directions', async () => {
    await desk.openDomain(TWO);
    await desk.page.getByRole('searchbox').fill('mail');
    await desk.page.getByText('1 of 2 records').waitFor();
    await desk.page.reload();
    await desk.page.getByText('1 of 2 records').waitFor();
    await desk.page.getByRole('searchbox').fill('');
    const first = () => desk.page.locator('[aria-rowindex="2"]').innerText();
    expect(await first()).toContain('192.0.2.2');
    await desk.page.getByRole('columnheader', { name: 'Data' }).getByRole('button').click();
    await until(async () => (await first()).includes('192.0.2.1'));
    await desk.page.getByRole('columnheader', { name: 'Data' }).getByRole('button').click();
    await until(async () => (await first()).includes('192.0.2.2'));
  });

  it('records are copied as lines of a zone file', async () => {
    const { name } = await desk.openDomain(TWO);
    await desk.page.getByRole('checkbox', { name: /^Select www/ }).check();
    await button('Copy as zone file').click();
    await desk.page.getByText('1 record copied').waitFor();
    expect(await desk.page.evaluate('navigator.clipboard.readText()')).toBe(
      `www.${name}.\t300\tIN\tA\t192.0.2.1\n`,
    );
  });

  it('a key with a single permission cannot open the console, and the reason is shown', async () => {
    const { name } = await desk.makeDomain();
    const key = await desk.client.keys.create({
      otherAttributes: {
        name: 'narrow',
        restrictions: { rules: [{ zone: `${name}.`, actions: ['read'] }] },
      },
    });
    await desk.openBrowser();
    desk.watched.expectRefusals();
    desk.page = await desk.watched.page();
    await desk.page.getByRole('radio', { name: 'Access key' }).check();
    await desk.page.locator('input[name=username]').fill(key.accessKeyId);
    await desk.page.locator('input[name=password]').fill(key.secretKey ?? '');
    await button('Log in').click();
    await desk.page.getByRole('alert').or(desk.page.locator('form p')).first().waitFor();
    expect(await desk.watched.context.cookies()).toEqual([]);
  });

  it('the administrator of npm start sees domains and nameservers at once', async () => {
    const { name } = await desk.makeDomain();
    await desk.openAs(await desk.administrator());
    await desk.show(`domains?q=${name}`);
    await desk.page.getByRole('link', { name, exact: true }).waitFor();
    await desk.page.getByRole('link', { name: 'Operator' }).click();
    await expectShown('Live nameservers: 6 of 6');
  });
});
