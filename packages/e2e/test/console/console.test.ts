import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@zonewright/client';
import { ask as askNameserver, waitFor } from '@zonewright/testkit';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { PROJECT, RunningPlatform } from '../support/running-platform.js';
import { findBarriers, hasChromium, launchBrowser, WatchedBrowser } from './browser.js';

if (!hasChromium) process.stderr.write('SKIPPED (no chromium): the console in a browser\n');
const inBrowser = hasChromium ? describe : describe.skip;

let platform: RunningPlatform;
let demo: Record<string, string>;
let origin: string;
let client: Client;

beforeAll(async () => {
  platform = await RunningPlatform.prepare();
  await platform.start({
    ZONEWRIGHT_CONSOLE: 'true',
    ZONEWRIGHT_NAMESERVER_COUNT: '6',
    DNS_API_MAX_DOMAINS: '200',
    DNS_API_MAX_DOMAIN_RECORDS: '20000',
  });
  demo = await platform.readDemoEnvironment();
  origin = `http://127.0.0.1:${platform.ports.console}`;
  client = new Client({
    identityUrl: demo['ZONEWRIGHT_IDENTITY_URL'] ?? '',
    auth: {
      accessKeyId: demo['ZONEWRIGHT_ACCESS_KEY'] ?? '',
      secretKey: demo['ZONEWRIGHT_SECRET_KEY'] ?? '',
      tenantId: projectId(),
    },
  });
}, 120_000);
afterAll(async () => {
  await platform.remove();
});

const credentials = () => ({
  username: demo['ZONEWRIGHT_USERNAME'] ?? '',
  password: demo['ZONEWRIGHT_PASSWORD'] ?? '',
});
/** Who administers all accounts. */
async function administrator(): Promise<{ username: string; password: string }> {
  const clouds = await readFile(join(platform.dataFolder, 'clouds.yaml'), 'utf8');
  const ofAdministrator = clouds.slice(clouds.indexOf('zonewright-admin:'));
  const valueOf = (member: string) =>
    JSON.parse(new RegExp(`^ *${member}: (.*)$`, 'm').exec(ofAdministrator)?.[1] ?? '""') as string;
  return { username: valueOf('username'), password: valueOf('password') };
}
const ourPage = { 'sec-fetch-site': 'same-origin' };
const projectId = () => demo['ZONEWRIGHT_TENANT_ID'] ?? '';

async function openSession(as = credentials()): Promise<string> {
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { ...ourPage, 'content-type': 'application/json' },
    body: JSON.stringify(as),
  });
  expect(response.status).toBe(200);
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

const ask = (path: string, cookie: string, init: RequestInit = {}) =>
  fetch(origin + path, {
    ...init,
    headers: { ...ourPage, cookie, ...(init.headers as Record<string, string>) },
  });

/** A target as it stands: fetch would tidy it up. */
async function askRaw(path: string, cookie: string): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: platform.ports.console, path, headers: { ...ourPage, cookie } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

describe('console-service', () => {
  it('pages say what scripts may do, and may be kept only where their names change with them', async () => {
    const page = await fetch(`${origin}/p/any/domains/example.com`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script'",
    );
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
    const file = await fetch(origin + script, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-encoding')).toBe('br');
    expect((await fetch(`${origin}/assets/none.js`)).status).toBe(404);
    expect((await fetch(origin, { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
  ])('%s leads to no file', async (path) => {
    const { body } = await askRaw(path, '');
    expect(body).not.toContain('"name"');
    expect(body).not.toContain('root:');
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of the same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 403],
    ['a browser without that header, elsewhere', { origin: 'http://evil.example' }, 403],
    ['a browser that says both', { ...ourPage, origin: 'http://evil.example' }, 403],
    ['no browser', {}, 403],
    ['a form', { ...ourPage, 'content-type': 'text/plain' }, 415],
  ])('a log-in from %s is refused', async (_from, headers, status) => {
    const response = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(credentials()),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('a cookie that scripts cannot read holds the session, and no answer has the token', async () => {
    const response = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify(credentials()),
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^zonewright=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await response.json()).toEqual({
      user: { id: expect.any(String), name: 'demo' },
      projects: [{ id: projectId(), name: 'demo' }],
      expiresAt: expect.any(Number),
      idleMinutes: 60,
    });
    const wrong = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { ...ourPage, 'content-type': 'application/json' },
      body: JSON.stringify({ ...credentials(), password: 'wrong' }),
    });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
  });

  it('what another site sends with the cookie is refused', async () => {
    const cookie = await openSession();
    const path = `/api/${projectId()}/dns/v1/domains`;
    expect((await ask(path, cookie)).status).toBe(200);
    expect((await ask(path, cookie, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
      403,
    );
    expect(
      (
        await ask('/session', cookie, {
          method: 'DELETE',
          headers: { 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(403);
    expect((await ask(path, cookie)).status).toBe(200);
  });

  it('a cookie that was altered, cut or doubled is none', async () => {
    const cookie = await openSession();
    const at = cookie.length - 20;
    const altered = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    const path = `/api/${projectId()}/dns/v1/domains`;
    for (const each of [
      altered,
      cookie.slice(0, -4),
      `${cookie}; ${cookie}`,
      cookie.replace('local-1', 'local-2'),
      'zonewright=',
      'zonewright=.',
    ]) {
      expect((await ask(path, each)).status).toBe(401);
    }
  });

  it.each([
    'identity/v2.0/tokens',
    'identity/v2.0/tenants',
    'identity/v3/auth/tokens',
    'identity/v3/auth/projects',
    'identity/openapi.json',
    'dns/v2/zones',
    'dns/internal/v1/updates',
    'dns/v1/domains/../../internal/v1/updates',
    'dns/v1/domains/%2e%2e',
    'dns/v1/domains/..',
    'dns/v1/../v2/zones',
    'dns//v1/domains/x/../../zones',
    'dns/v1/domains/a/b/c/d',
    'other/v1/domains',
  ])('/api/{project}/%s is not passed on', async (path) => {
    const { status } = await askRaw(`/api/${projectId()}/${path}`, await openSession());
    expect([404, 405]).toContain(status);
  });

  it('a project that is not the own is refused, and headers of the browser decide nothing', async () => {
    const cookie = await openSession();
    expect((await ask(`/api/${'0'.repeat(32)}/dns/v1/domains`, cookie)).status).toBe(403);
    const { token } = await client.session();
    const smuggled = {
      'x-auth-token': token,
      'x-forwarded-for': '192.0.2.1',
      authorization: `Bearer ${token}`,
    };
    expect(
      (await ask(`/api/${projectId()}/dns/v1/domains`, '', { headers: smuggled })).status,
    ).toBe(401);
    const other = await ask(`/api/${projectId()}/dns/v1/domains`, cookie, {
      headers: { ...smuggled, 'x-auth-token': 'none' },
    });
    expect(other.status).toBe(200);
    expect(other.headers.get('x-openstack-request-id')).toMatch(/^req-/);
  });

  it('keys are listed without their secrets, whatever is asked for', async () => {
    const cookie = await openSession();
    const answer = await ask(
      `/api/${projectId()}/identity/v2.0/EXT-IDM/v1.0/accesskeys?export=true`,
      cookie,
    );
    const text = await answer.text();
    expect(text).toContain(demo['ZONEWRIGHT_ACCESS_KEY']);
    expect(text).not.toContain(demo['ZONEWRIGHT_SECRET_KEY']);
  });

  it('a body beyond the bound is refused before it is passed on', async () => {
    const cookie = await openSession();
    const path = `/api/${projectId()}/dns/v1/domains/import`;
    const body = ' '.repeat(9 * 1024 * 1024);
    const answer = await ask(path, cookie, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(413);
  });

  it('who has logged out cannot be played again, also where a token of a project is held', async () => {
    const cookie = await openSession();
    const path = `/api/${projectId()}/dns/v1/domains`;
    expect((await ask(path, cookie)).status).toBe(200);
    const out = await ask('/session', cookie, { method: 'DELETE' });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    await waitFor(async () => (await ask(path, cookie)).status === 401, 15_000);
    expect((await ask('/session', cookie)).status).toBe(204);
  });
});

describe('what a browser loads', () => {
  const folder = join(PROJECT, 'packages/console/dist/assets');
  const size = (name: string) =>
    gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1024;

  it('the first script has at most 150 KiB, a screen 35, all styles 20, all together 300', () => {
    const names = readdirSync(folder);
    const scripts = names.filter((name) => name.endsWith('.js'));
    const sizes = scripts.map((name) => ({ name, size: size(name) }));
    expect(sizes.filter((each) => each.size > (each.name.startsWith('index-') ? 150 : 35))).toEqual(
      [],
    );
    const sum = (list: readonly string[]) =>
      list.map(size).reduce((total, each) => total + each, 0);
    expect(sum(names.filter((name) => name.endsWith('.css')))).toBeLessThanOrEqual(20);
    expect(sum(names)).toBeLessThanOrEqual(300);
  });
});

inBrowser('the console', () => {
  let browser: Browser;
  let watched: WatchedBrowser;
  let page: Page;
  let count = 0;

  beforeAll(async () => {
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
  });
  afterEach(async () => {
    const leaks = page.isClosed() ? [] : await watched.leaks(page);
    await watched.close();
    expect({ leaks, faults: watched.faults }).toEqual({ leaks: [], faults: [] });
  });

  const openBrowser = async (options: { theme?: 'light' | 'dark'; width?: number } = {}) => {
    const secrets = [credentials().password, demo['ZONEWRIGHT_SECRET_KEY'] ?? ''];
    watched = await WatchedBrowser.open(browser, { origin, secrets, ...options });
    return watched;
  };
  /** The form has scenarios of its own. */
  const openAs = async (
    as: { username: string; password: string },
    options: { theme?: 'light' | 'dark'; width?: number } = {},
  ) => {
    await openBrowser(options);
    const [name = '', value = ''] = (await openSession(as)).split('=');
    const place = { domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' } as const;
    await watched.context.addCookies([{ name, value, ...place }]);
  };
  /** The administrator over the network, with a role of the project more. */
  const administration = async () => {
    const auth = { ...(await administrator()), tenantId: projectId() };
    return new Client({ identityUrl: demo['ZONEWRIGHT_IDENTITY_URL'] ?? '', auth });
  };
  const grantAdministrator = async (name: string) => {
    const admin = await administration();
    const { value } = await admin.call('listRolesV3', { query: { name } });
    const { user } = await admin.session();
    const path = { projectId: projectId(), userId: user.id, roleId: value.roles[0]?.id ?? '' };
    await admin.call('grantRoleOnProjectV3', { path });
  };
  /** A member of the project, of the scenario's own. */
  const addMember = async () => {
    count += 1;
    const as = { username: `member-${count}`, password: `first password ${count}` };
    const admin = await administration();
    const user = { name: as.username, password: as.password };
    const { value } = await admin.call('createUserV3', { body: { user } });
    const roles = await admin.call('listRolesV3', { query: { name: 'dns-admin' } });
    await admin.call('grantRoleOnProjectV3', {
      path: {
        projectId: projectId(),
        userId: value.user.id,
        roleId: roles.value.roles[0]?.id ?? '',
      },
    });
    return as;
  };
  const FORMS = [
    ['light', 1280],
    ['dark', 390],
  ] as const;
  const isSideways = () =>
    page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
  /** Of one screen, beside its scenario. */
  const expectNoBarriers = async () => {
    await page.screenshot({
      path: `/tmp/screens/${expect.getState().currentTestName?.replaceAll(/[^a-z0-9]+/gi, '-')}.png`,
      fullPage: true,
    });
    expect([await findBarriers(page), await isSideways()]).toEqual([[], false]);
  };
  /** A domain of the scenario's own, with records; the browser is logged in and shows it. */
  const openDomain = async (
    zonefile = '',
    options: { theme?: 'light' | 'dark'; width?: number } = {},
  ) => {
    count += 1;
    const name = `scenario-${count}.example`;
    const { value } = await client.domains.create({
      name: `${name}.`,
      email: `hostmaster@${name}`,
    });
    if (zonefile !== '')
      await client.domains.import(value.id, { zonefile: `$ORIGIN ${name}.\n${zonefile}` });
    await openAs(credentials(), options);
    page = await watched.page(`/p/${projectId()}/domains/${name}`);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    return { name, id: value.id };
  };
  const row = (text: RegExp | string) => page.getByRole('row').filter({ hasText: text });
  const records = async (id: string) => {
    const all: string[] = [];
    for await (const { name, type, data } of client.records(id).list())
      if (type !== 'NS') all.push(`${name} ${type} ${data}`);
    return all.toSorted();
  };
  const paste = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.getByRole('heading', { name: 'Records' }).click();
    await page.keyboard.press('Control+v');
  };
  const untilPublished = () => page.getByText(/^Published on 6 of 6/).waitFor();
  const TWO = 'www 300 IN A 192.0.2.1\nmail 300 IN A 192.0.2.2\n';

  it('from the log-in to a record that six nameservers answer with, in twelve clicks', async () => {
    await openBrowser();
    page = await watched.page();
    let clicks = 0;
    const click = async (button: string) => {
      clicks += 1;
      await page.getByRole('button', { name: button, exact: true }).last().click();
    };
    await page.getByLabel('User name').fill(credentials().username);
    await page.locator('input[name=password]').fill(credentials().password);
    await click('Log in');
    await page.getByRole('heading', { name: 'Domains' }).waitFor();
    await click('New domain');
    await page.getByLabel('Name', { exact: true }).fill('first-minute.example');
    await click('Create domain');
    await page.getByRole('heading', { name: 'first-minute.example' }).waitFor();
    await click('New record');
    await page.getByLabel('Name', { exact: true }).fill('www');
    await page.getByLabel('IPv4 address').fill('192.0.2.80');
    await page.getByText('www.first-minute.example is at 192.0.2.80.').waitFor();
    await click('Add record');
    await row('192.0.2.80').waitFor();
    await untilPublished();
    expect(clicks).toBeLessThanOrEqual(12);
    const answer = await askNameserver(platform.nameserver, 'www.first-minute.example.', 'A');
    expect(JSON.stringify(answer)).toContain('192.0.2.80');
  });

  it('a key for one name is made, its secret shown once, and what it wrote is answered by the six', async () => {
    const { name, id } = await openDomain(TWO);
    await page.getByRole('link', { name: 'Access keys', exact: true }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('home router');
    await page.getByLabel('What it may do').selectOption('dyndns');
    await page.getByLabel('Domain', { exact: true }).selectOption(`${name}.`);
    await page.getByLabel('Name in it').fill('home');
    await page.getByRole('button', { name: 'Create key' }).click();
    const snippet = await page.locator('pre').innerText();
    const fact = (member: string) => new RegExp(`^${member}=(.*)$`, 'm').exec(snippet)?.[1] ?? '';
    const secretKey = fact('ZONEWRIGHT_SECRET_KEY');
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await row('home router').getByText('change').waitFor();
    expect(await page.content()).not.toContain(secretKey);
    const router = new Client({
      identityUrl: demo['ZONEWRIGHT_IDENTITY_URL'] ?? '',
      auth: { accessKeyId: fact('ZONEWRIGHT_ACCESS_KEY'), secretKey, tenantId: projectId() },
    });
    const record = { name: `home.${name}.`, type: 'A', data: '192.0.2.77' } as const;
    await router.records(id).add(record, { wait: 10 });
    await expect(router.records(id).add({ ...record, name: `www.${name}.` })).rejects.toMatchObject(
      { status: 403 },
    );
    await page.goto(`${origin}/p/${projectId()}/domains/${name}/test`);
    await page.getByLabel('Name', { exact: true }).fill('home');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText(/^All 6 that answer/).waitFor();
    await page
      .getByText(/ A 192\.0\.2\.77$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Access keys', exact: true }).click();
    await page.getByRole('button', { name: 'Delete home router' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The key home router is deleted').waitFor();
    await expect(router.records(id).add(record)).rejects.toMatchObject({ status: 401 });
  });

  it('says what is wrong with a log-in, and takes an access key as well', async () => {
    await openBrowser();
    watched.expectRefusals();
    page = await watched.page();
    await page.getByLabel('User name').fill('demo');
    await page.locator('input[name=password]').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('These do not belong together').waitFor();
    await page.getByRole('radio', { name: 'Access key' }).check();
    await page.locator('input[name=username]').fill(demo['ZONEWRIGHT_ACCESS_KEY'] ?? '');
    await page.locator('input[name=password]').fill(demo['ZONEWRIGHT_SECRET_KEY'] ?? '');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Domains' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('User name').waitFor();
    expect(await watched.context.cookies()).toEqual([]);
  });

  it('shows what the service finds wrong at the field, and keeps what was typed', async () => {
    await openDomain();
    watched.expectRefusals();
    await page.getByRole('button', { name: 'New record' }).first().click();
    await page.getByLabel('IPv4 address').fill('192.0.2.300');
    await page.getByRole('button', { name: 'Add record' }).click();
    await page.getByText(/is not an IPv4 address/).waitFor();
    expect(await page.getByLabel('IPv4 address').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('IPv4 address').fill('192.0.2.30');
    await page.getByRole('button', { name: 'Add record' }).click();
    await row('192.0.2.30').waitFor();
  });

  it('two people change one record: both are shown, and one chooses', async () => {
    const { name, id } = await openDomain(TWO);
    watched.expectRefusals();
    await row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('IPv4 address').fill('192.0.2.11');
    const all: { id: string; name: string }[] = [];
    for await (const each of client.records(id).list()) all.push(each);
    const www = all.find((each) => each.name === `www.${name}.`)?.id ?? '';
    await client.records(id).change([{ action: 'update', id: www, record: { ttl: 900 } }]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Somebody changed this record meanwhile' }).waitFor();
    await page.getByRole('button', { name: 'Save this' }).click();
    await row('192.0.2.11').filter({ hasText: '900' }).waitFor();
    expect(await records(id)).toContain(`www.${name}. A 192.0.2.11`);
  });

  it('changes and deletes many at once, says before what will happen, and takes it back', async () => {
    const { name, id } = await openDomain(TWO);
    const before = await records(id);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Replace in data' }).click();
    await page.getByLabel('Find').fill('192.0.2.');
    await page.getByLabel('Replace with').fill('198.51.100.');
    await page.getByRole('list', { name: 'What will happen' }).getByText('198.51.100.2').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await row('198.51.100.2').waitFor();
    expect(await records(id)).toEqual([
      `mail.${name}. A 198.51.100.2`,
      `www.${name}. A 198.51.100.1`,
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('192.0.2.2').waitFor();
    expect(await records(id)).toEqual(before);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Number of records').fill('2');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No records yet').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row('192.0.2.2').waitFor();
    expect(await records(id)).toEqual(before);
  });

  it.each([
    [
      'CSV',
      'name,type,data,ttl\napi,A,192.0.2.7,60\n@,TXT,"v=spf1 -all",\n',
      ['api.? A 192.0.2.7', '? TXT "v=spf1 -all"'],
    ],
    [
      'hosts file',
      '192.0.2.9 one two\n2001:db8::1 one\n',
      ['one.? A 192.0.2.9', 'one.? AAAA 2001:db8::1', 'two.? A 192.0.2.9'],
    ],
    ['list of addresses', '192.0.2.3\n192.0.2.4\n', ['? A 192.0.2.3', '? A 192.0.2.4']],
    ['zone file', 'ftp 60 IN CNAME www\n', ['ftp.? CNAME www.?']],
  ])('takes what is pasted: %s', async (form, text, expected) => {
    const { name, id } = await openDomain();
    await paste(text);
    await page.getByText(new RegExp(`as ${form}`)).waitFor();
    await page.getByText(`${expected.length} added, 0 changed, 0 removed`).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    await untilPublished();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await records(id)).toEqual(
      expected.map((line) => line.replaceAll('?', `${name}.`)).toSorted(),
    );
  });

  it('10,000 pasted lines are looked at, imported, shown, filtered and taken back', async () => {
    const { id } = await openDomain();
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `h${index} IN A 192.0.${index >> 8}.${index & 255}`,
    );
    await paste(lines.join('\n'));
    const patience = { timeout: 60_000 };
    await page.getByText('10000 added, 0 changed, 0 removed').waitFor(patience);
    await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('10,000 records', { exact: true }).waitFor(patience);
    // Only those in sight are there.
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    await page.locator('[role=grid][aria-rowcount="10001"]').waitFor(patience);
    await page.getByRole('searchbox').fill('192.0.39.15');
    await page.getByText('1 record of 10,000 records').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('No records yet').waitFor(patience);
    expect(await records(id)).toEqual([]);
  }, 180_000);

  it('the keyboard alone makes, edits, selects, deletes and takes back', async () => {
    const { name, id } = await openDomain(TWO);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole('row').nth(1).focus();
    await press('n');
    await page.getByRole('form', { name: 'New record' }).waitFor();
    await page.keyboard.type('new');
    await press('Tab');
    await page.keyboard.type('192.0.2.5');
    await press('Control+Enter');
    await page.getByText(/^Added new A/).waitFor();
    await page.getByRole('form').waitFor({ state: 'detached' });
    await row('192.0.2.5').waitFor();
    await page.getByRole('row').nth(1).focus();
    await press('e');
    await page.getByRole('form', { name: /^Edit/ }).waitFor();
    await press('Tab');
    await press('Control+a');
    await page.keyboard.type('192.0.2.22');
    await press('Enter');
    await page.getByText(/^Changed mail A/).waitFor();
    await page.getByRole('form').waitFor({ state: 'detached' });
    await page.getByRole('row').nth(1).focus();
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Delete');
    await page.getByLabel('Number of records').waitFor();
    await page.keyboard.type('3');
    await press('Enter');
    await page.getByText('No records yet').waitFor();
    const [undo] = await page.getByRole('button', { name: 'Undo' }).all();
    await undo?.focus();
    await page.getByRole('button', { name: 'Undo' }).last().focus();
    await press('Enter');
    await row('192.0.2.22').waitFor();
    expect(await records(id)).toEqual([
      `mail.${name}. A 192.0.2.22`,
      `new.${name}. A 192.0.2.5`,
      `www.${name}. A 192.0.2.1`,
    ]);
  });

  it('history: a step is taken back, and the domain goes back to a serial, each after a look', async () => {
    const { name, id } = await openDomain(TWO);
    const before = await records(id);
    await row('192.0.2.1')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByText(/^Deleted www A/).waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Details' }).first().click();
    await page.getByRole('list', { name: 'What changed' }).getByText(`www.${name}.`).waitFor();
    await page.getByRole('button', { name: 'Take back' }).first().click();
    await page.getByRole('list', { name: 'What will happen' }).getByText(`www.${name}.`).waitFor();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText(/^Took back serial/).waitFor();
    expect(await records(id)).toEqual(before);
    await page.getByRole('button', { name: 'Back to here' }).last().click();
    await page.getByRole('list', { name: 'What will happen' }).waitFor();
    await page.getByRole('button', { name: 'Do it' }).click();
    await page.getByText(/^The records are those of serial/).waitFor();
    expect(await records(id)).toEqual([]);
  });

  it('a deleted domain comes back, at once or later from the list', async () => {
    const { name } = await openDomain(TWO);
    const remove = async () => {
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Delete domain' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill(name);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`Deleted ${name}`).waitFor();
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('link', { name, exact: true }).click();
    await remove();
    await page.getByRole('radio', { name: 'Recently deleted' }).check();
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Restore' })
      .click();
    await page.getByText(`${name} is back`).waitFor();
    expect((await client.domains.get(name)).value.name).toBe(`${name}.`);
  });

  it('a session that ends in an open editor: log in over it, and what was begun is done', async () => {
    const { name, id } = await openDomain(TWO);
    watched.expectRefusals();
    await row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('IPv4 address').fill('192.0.2.99');
    await watched.context.clearCookies();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.locator('input[name=password]').fill(credentials().password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText(/^Changed www A/).waitFor();
    expect(await records(id)).toContain(`www.${name}. A 192.0.2.99`);
  });

  it('the DNS API is away: what is there stays with its age, and comes up again by itself', async () => {
    const { name } = await openDomain(TWO);
    watched.expectRefusals();
    await row('192.0.2.1').waitFor();
    platform.kill('dns-api');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Records' }).click();
    await row('192.0.2.1').waitFor();
    // npm start starts it again; nobody has to do anything here.
    await waitFor(async () => (await client.domains.list().next()).done !== undefined, 30_000);
    await page.getByRole('link', { name: 'Publication' }).click();
    await page.getByText('ns1-6', { exact: false }).first().waitFor({ timeout: 30_000 });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  });

  it('account: a wrong password changes nothing, the right one ends the other sessions and not this one', async () => {
    const as = await addMember();
    const elsewhere = await openSession(as);
    await openAs(as);
    watched.expectRefusals();
    page = await watched.page(`/p/${projectId()}/account`);
    const fill = async (original: string, next: string, again = next) => {
      await page.getByLabel('Password until now').fill(original);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('New password again').fill(again);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    const next = 'a better password';
    await fill(as.password, next, 'another one');
    await page.getByText('The two new passwords are not the same.').waitFor();
    await fill('not the password', next);
    await page.getByText('This is not your password.').waitFor();
    await fill(as.password, next);
    await page.getByText('Your password is changed').waitFor();
    expect(await (await ask('/session', elsewhere)).text()).toBe('');
    await page.getByRole('link', { name: 'Domains' }).click();
    await page
      .getByText(/^\d+ domains?$|^No domains/)
      .first()
      .waitFor();
    await openSession({ ...as, password: next });
  });

  it.each(FORMS)('account: keeps nobody out: %s, %i px', async (theme, width) => {
    await openAs(credentials(), { theme, width });
    page = await watched.page(`/p/${projectId()}/account`);
    await page.getByRole('heading', { name: 'Look and language' }).waitFor();
    await expectNoBarriers();
    await page.getByRole('radio', { name: 'Deutsch' }).check();
    await page.getByRole('heading', { name: 'Konto' }).waitFor();
  });

  it.each(FORMS)('operator: shows six nameservers: %s, %i px', async (theme, width) => {
    await grantAdministrator('dns-admin');
    await grantAdministrator('dns-operator');
    await openAs(await administrator(), { theme, width });
    page = await watched.page(`/p/${projectId()}/operator`);
    await page.getByText('6 of 6 are live').waitFor();
    expect(await page.getByText('live', { exact: true }).count()).toBe(6);
    await expectNoBarriers();
  });

  it('operator: says who sees it', async () => {
    await openAs(credentials());
    watched.expectRefusals();
    page = await watched.page(`/p/${projectId()}/operator`);
    await page.getByText(/they have the role dns-operator/).waitFor();
    expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  });

  it.each(FORMS)(
    'members: one is invited, logs in with the first password, and loses the role: %s, %i px',
    async (theme, width) => {
      count += 1;
      const username = `colleague-${count}`;
      await openAs(await administrator(), { theme, width });
      page = await watched.page(`/p/${projectId()}/members`);
      await row('demo').getByText('dns-admin').waitFor();
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByLabel('User name').fill(username);
      await expectNoBarriers();
      await page.getByRole('button', { name: 'Create user' }).click();
      await page.getByRole('heading', { name: 'The user is created' }).waitFor();
      const password = await page.getByRole('dialog').locator('code').innerText();
      await page.getByRole('button', { name: 'I have kept it' }).click();
      await row(username).getByText('dns-admin').waitFor();
      expect(await page.content()).not.toContain(password);
      await expectNoBarriers();
      const theirs = await openSession({ username, password });
      const domains = `/api/${projectId()}/dns/v1/domains`;
      expect((await ask(domains, theirs)).status).toBe(200);
      await page.getByRole('button', { name: `Take dns-admin from ${username}` }).click();
      await page.getByRole('button', { name: 'Take role', exact: true }).click();
      await page.getByText(`${username} has the role dns-admin no more`).waitFor();
      await row(username).waitFor({ state: 'detached' });
    },
  );

  it('members: says who invites to who cannot', async () => {
    await openAs(credentials());
    page = await watched.page(`/p/${projectId()}/members`);
    await page.getByText(/whoever administers your accounts/).waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });

  it.each(FORMS)(
    'DNSSEC: a domain is signed, shows its DS, and leaves after a question: %s, %i px',
    async (theme, width) => {
      const { id } = await openDomain(TWO, { theme, width });
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByRole('button', { name: 'Sign this domain' }).click();
      await page.getByText('signed', { exact: true }).waitFor();
      const { ds } = (await client.call('getDnssec', { path: { domainId: id } })).value;
      await page.getByText(ds[0] ?? 'no DS', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Copy DS' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(ds.join('\n'));
      await expectNoBarriers();
      await page.getByRole('button', { name: 'Stop signing' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stop signing' }).click();
      await page.getByText('waiting until the DS is gone').waitFor();
    },
  );

  it('an import does what was looked at, or nothing', async () => {
    const { name, id } = await openDomain(TWO);
    watched.expectRefusals();
    await paste('ftp 60 IN CNAME www\n');
    await page.getByText('1 added, 0 changed, 0 removed').waitFor();
    await client.records(id).add({ name: `new.${name}.`, type: 'A', data: '192.0.2.5' });
    const doIt = page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true });
    await doIt.click();
    await page.getByText(/^Somebody changed this domain meanwhile/).waitFor();
    expect(await records(id)).not.toContain(`ftp.${name}. CNAME www.${name}.`);
    // The preview is being made anew.
    await page.getByText('Looking').waitFor({ state: 'detached' });
    await doIt.click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await records(id)).toContain(`ftp.${name}. CNAME www.${name}.`);
  });

  it('speaks German, and remembers it', async () => {
    await openDomain(TWO);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('button', { name: 'Neuer Eintrag' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Neuer Eintrag' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 390],
  ] as const)(
    'nothing of it keeps anybody out: %s, %i px (WCAG 2.2, by axe)',
    async (theme, width) => {
      await openDomain(`${TWO}@ IN MX 10 mail\n@ IN TXT "v=spf1 mx -all"\n`, { theme, width });
      const found: Record<string, string[]> = {};
      const look = async (screen: string) => {
        const barriers = await findBarriers(page);
        if (barriers.length > 0) found[screen] = barriers;
      };
      await row('192.0.2.1').waitFor();
      await untilPublished();
      await look('records');
      expect(await isSideways()).toBe(false);
      await page.getByRole('checkbox', { name: /^Select www/ }).check();
      await look('records, one selected');
      await page.getByRole('button', { name: 'New record' }).click();
      await look('records, a new one');
      await page.getByRole('button', { name: 'Import' }).click();
      await look('import');
      await page.keyboard.press('Escape');
      for (const [link, waiting] of [
        ['History', 'Take back'],
        ['Settings', 'Delete domain'],
      ] as const) {
        await page.getByRole('link', { name: link, exact: true }).click();
        await page.getByRole('button', { name: waiting }).first().waitFor();
        await look(link);
        expect(await isSideways()).toBe(false);
      }
      await page.getByRole('link', { name: 'Publication', exact: true }).click();
      await page.getByText('answers with it').first().waitFor();
      await look('Publication');
      await page.getByRole('link', { name: 'Health', exact: true }).click();
      await page.getByRole('heading', { name: 'What was looked at' }).waitFor();
      await look('Health');
      expect(await isSideways()).toBe(false);
      await page.getByRole('link', { name: 'Ask the six', exact: true }).click();
      await page.getByText(/^All 6 that answer/).waitFor();
      await look('Ask the six');
      expect(await isSideways()).toBe(false);
      const goTo = async (link: string) => {
        if (width < 500) await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: link, exact: true }).first().click();
      };
      await goTo('Usage');
      await page.getByRole('heading', { name: 'Records in all domains' }).waitFor();
      await look('Usage');
      await goTo('Access keys');
      await page
        .getByText(demo['ZONEWRIGHT_ACCESS_KEY'] ?? '')
        .first()
        .waitFor();
      await look('Access keys');
      expect(await isSideways()).toBe(false);
      await page.getByRole('button', { name: 'New key' }).click();
      await look('a new key');
      await page.keyboard.press('Escape');
      await goTo('Domains');
      await page.getByText(/^\d+ domains?$/).waitFor();
      await look('Domains');
      await page.getByRole('button', { name: 'New domain' }).click();
      await look('a new domain');
      await page.keyboard.press('Escape');
      if (width < 500) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByLabel('User name').waitFor();
      await look('log-in');
      expect(found).toEqual({});
    },
    120_000,
  );
});
