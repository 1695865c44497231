import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@zonewright/client';
import { sendQuery as askNameserver, waitFor } from '@zonewright/testkit';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync, inflateRawSync } from 'node:zlib';
import { Person } from '../command-line/command.js';
import { works } from '../support/foreign-programs.js';
import { PROJECT } from '../support/running-platform.js';
import { findBarriers } from './browser.js';
import { Desk, FORMS, hasChromium, ourPage, TWO } from './desk.js';

if (!hasChromium) process.stderr.write('SKIPPED (no chromium): the console in a browser\n');
const inBrowser = hasChromium ? describe : describe.skip;

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.start();
}, 120_000);
afterAll(async () => {
  await desk.remove();
});

/** Requests a path unchanged, since fetch would normalize it. */
async function askRaw(path: string, cookie: string): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: desk.platform.ports.console,
        path,
        headers: { ...ourPage, cookie },
      },
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

const hasCurl = works('curl', '--version');

/** Logs in from an address of the loopback network. Each address is a separate network. */
async function logInFrom(
  localAddress: string,
  credentials: object,
  cookie = '',
): Promise<{ status: number; cookies: readonly string[] }> {
  return await new Promise((resolve, reject) => {
    const headers = { ...ourPage, cookie, 'content-type': 'application/json' };
    const { port, hostname } = new URL(desk.origin);
    const target = { hostname, port, path: '/session', method: 'POST', headers, localAddress };
    const sent = request({ ...target, agent: false }, (answer) => {
      answer.resume().on('end', () => {
        const cookies = answer.headers['set-cookie'] ?? [];
        resolve({ status: answer.statusCode ?? 0, cookies });
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(credentials));
  });
}

/** Expects that the commands for a new key work as copied. */
async function expectToWork(file: string, content: string): Promise<void> {
  const person = await Person.create();
  try {
    await writeFile(join(person.home, file), `${content}\n`, { mode: 0o600 });
    const read = (label: RegExp) => desk.page.getByLabel(label).innerText();
    expect(await person.type(await read(/with zonewright$/))).toContain(desk.projectId());
    const byCurl = await read(/with curl/);
    if (hasCurl) expect(await person.type(byCurl)).toMatch(/^\{"access":\{"token":.*\}$/);
  } finally {
    await person.leave();
  }
}

/** Reads the files of an archive (APPNOTE.TXT 4.3: the central directory contains the offset of each). */
function readArchive(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  let at = bytes.readUInt32LE(bytes.indexOf('PK\u0005\u0006') + 16);
  while (bytes.readUInt32LE(at) === 0x0201_4b50) {
    const lengths = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + (lengths[0] ?? 0));
    const local = bytes.readUInt32LE(at + 42);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(begin, begin + bytes.readUInt32LE(at + 20));
    files[name] = inflateRawSync(packed).toString();
    at += lengths.reduce((sum, length) => sum + length, 46);
  }
  return files;
}

describe('console-service', () => {
  it('pages limit what scripts may do, and are cached only if their names change with them', async () => {
    const page = await fetch(`${desk.origin}/p/any/domains/example.com`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('content-security-policy')).toContain(
      "require-trusted-types-for 'script'",
    );
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
    const file = await fetch(desk.origin + script, { headers: { 'accept-encoding': 'br' } });
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(file.headers.get('content-encoding')).toBe('br');
    expect((await fetch(`${desk.origin}/assets/none.js`)).status).toBe(404);
    expect((await fetch(desk.origin, { method: 'POST' })).status).toBe(405);
  });

  it.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '//etc/passwd',
  ])('%s does not return a file', async (path) => {
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
    const response = await fetch(`${desk.origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(desk.credentials()),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('a cookie that scripts cannot read contains the session, and no response has the token', async () => {
    const response = await fetch(`${desk.origin}/session`, {
      method: 'POST',
      headers: { origin: desk.origin, 'content-type': 'application/json' },
      body: JSON.stringify(desk.credentials()),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^zonewright=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(
        /^zonewright-returning=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=15552000$/,
      ),
    ]);
    expect(await response.json()).toEqual({
      user: { id: expect.any(String), name: 'demo' },
      projects: [{ id: desk.projectId(), name: 'demo' }],
      expiresAt: expect.any(Number),
      idleMinutes: 60,
    });
    const wrong = await fetch(`${desk.origin}/session`, {
      method: 'POST',
      headers: { ...ourPage, 'content-type': 'application/json' },
      body: JSON.stringify({ ...desk.credentials(), password: 'wrong' }),
    });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
  });

  it('100 wrong passwords from one network lock out no known user and nobody from another network', async () => {
    const credentials = desk.credentials();
    const first = await logInFrom('127.0.1.9', credentials);
    expect(first.status).toBe(200);
    const known = first.cookies.find((each) => each.startsWith('zonewright-returning=')) ?? '';
    const wrong = { ...credentials, password: 'wrong' };
    // Four at a time: fifty wrong passwords in a second would only be rejected for that second.
    const isUsedUp = async () => (await logInFrom('127.0.1.9', credentials)).status === 429;
    for (let n = 0; n < 100; n += 4) {
      await Promise.all([1, 2, 3, 4].map(() => logInFrom('127.0.1.9', wrong)));
    }
    await waitFor(async () => {
      await logInFrom('127.0.1.9', wrong);
      return await isUsedUp();
    }, 60_000);
    expect((await logInFrom('127.0.1.9', credentials, known)).status).toBe(200);
    expect((await logInFrom('127.0.0.1', credentials)).status).toBe(200);
  });

  it('requests from another site with the cookie are refused', async () => {
    const cookie = await desk.openSession();
    const path = `/api/${desk.projectId()}/dns/v1/domains`;
    expect((await desk.ask(path, cookie)).status).toBe(200);
    expect(
      (await desk.ask(path, cookie, { headers: { 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
    expect(
      (
        await desk.ask('/session', cookie, {
          method: 'DELETE',
          headers: { 'sec-fetch-site': 'cross-site' },
        })
      ).status,
    ).toBe(403);
    expect((await desk.ask(path, cookie)).status).toBe(200);
  });

  it('a changed, truncated or duplicated cookie is not accepted', async () => {
    const cookie = await desk.openSession();
    const at = cookie.length - 20;
    const altered = cookie.slice(0, at) + (cookie[at] === 'A' ? 'B' : 'A') + cookie.slice(at + 1);
    const path = `/api/${desk.projectId()}/dns/v1/domains`;
    for (const each of [
      altered,
      cookie.slice(0, -4),
      `${cookie}; ${cookie}`,
      cookie.replace('local-1', 'local-2'),
      'zonewright=',
      'zonewright=.',
    ]) {
      expect((await desk.ask(path, each)).status).toBe(401);
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
  ])('/api/{project}/%s is not forwarded', async (path) => {
    const { status } = await askRaw(`/api/${desk.projectId()}/${path}`, await desk.openSession());
    expect([404, 405]).toContain(status);
  });

  it("another user's project is refused, and headers of the browser decide nothing", async () => {
    const cookie = await desk.openSession();
    expect((await desk.ask(`/api/${'0'.repeat(32)}/dns/v1/domains`, cookie)).status).toBe(403);
    const { token } = await desk.client.session();
    const smuggled = {
      'x-auth-token': token,
      'x-forwarded-for': '192.0.2.1',
      authorization: `Bearer ${token}`,
    };
    expect(
      (await desk.ask(`/api/${desk.projectId()}/dns/v1/domains`, '', { headers: smuggled })).status,
    ).toBe(401);
    const other = await desk.ask(`/api/${desk.projectId()}/dns/v1/domains`, cookie, {
      headers: { ...smuggled, 'x-auth-token': 'none' },
    });
    expect(other.status).toBe(200);
    expect(other.headers.get('x-openstack-request-id')).toMatch(/^req-/);
  });

  it('keys are listed without their secrets, whatever the request contains', async () => {
    const cookie = await desk.openSession();
    const answer = await desk.ask(
      `/api/${desk.projectId()}/identity/v2.0/EXT-IDM/v1.0/accesskeys?export=true`,
      cookie,
    );
    const text = await answer.text();
    expect(text).toContain(desk.demo['ZONEWRIGHT_ACCESS_KEY']);
    expect(text).not.toContain(desk.demo['ZONEWRIGHT_SECRET_KEY']);
  });

  it('a body that exceeds the limit is refused before it is forwarded', async () => {
    const cookie = await desk.openSession();
    const path = `/api/${desk.projectId()}/dns/v1/domains/import`;
    const body = ' '.repeat(9 * 1024 * 1024);
    const answer = await desk.ask(path, cookie, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(413);
  });

  it('a session cannot be replayed after a log-out, even if the token of a project is cached', async () => {
    const cookie = await desk.openSession();
    const path = `/api/${desk.projectId()}/dns/v1/domains`;
    expect((await desk.ask(path, cookie)).status).toBe(200);
    const out = await desk.ask('/session', cookie, { method: 'DELETE' });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    await waitFor(async () => (await desk.ask(path, cookie)).status === 401, 15_000);
    expect((await desk.ask('/session', cookie)).status).toBe(204);
  });
});

describe('what a browser loads', () => {
  const folder = join(PROJECT, 'packages/console/dist/assets');
  const size = (name: string) =>
    gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1024;

  it('the first script has at most 150 KiB, a screen 35, all styles 20, and everything together 300', () => {
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
  beforeAll(async () => {
    await desk.launchBrowser();
  }, 60_000);
  afterEach(async () => {
    expect(await desk.close()).toEqual({ leaks: [], faults: [] });
  });

  it('leads from the log-in to a record that six nameservers answer with, in twelve clicks', async () => {
    await desk.openBrowser();
    desk.page = await desk.watched.page();
    let clicks = 0;
    const click = async (button: string) => {
      clicks += 1;
      await desk.page.getByRole('button', { name: button, exact: true }).last().click();
    };
    await desk.page.getByLabel('User name').fill(desk.credentials().username);
    await desk.page.locator('input[name=password]').fill(desk.credentials().password);
    await click('Log in');
    await desk.page.getByRole('heading', { name: 'Domains' }).waitFor();
    await click('New domain');
    await desk.page.getByLabel('Name', { exact: true }).fill('first-minute.example');
    await click('Create domain');
    await desk.page.getByRole('heading', { name: 'first-minute.example' }).waitFor();
    await click('New record');
    await desk.page.getByLabel('Name', { exact: true }).fill('www');
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.80');
    await desk.page.getByText('www.first-minute.example has the address 192.0.2.80.').waitFor();
    await click('Add record');
    await desk.row('192.0.2.80').waitFor();
    await desk.untilPublished();
    expect(clicks).toBeLessThanOrEqual(12);
    const answer = await askNameserver(desk.platform.nameserver, 'www.first-minute.example.', 'A');
    expect(JSON.stringify(answer)).toContain('192.0.2.80');
  });

  it('a key for one name is created, its secret is shown once, and all six nameservers answer with its record', async () => {
    const { name, id } = await desk.openDomain(TWO);
    await desk.page.getByRole('link', { name: 'Access keys', exact: true }).click();
    await desk.page.getByRole('button', { name: 'New key' }).click();
    await desk.page.getByLabel('Name', { exact: true }).fill('home router');
    await desk.page.getByLabel('Rights').selectOption('dyndns');
    await desk.page.getByLabel('Domain', { exact: true }).selectOption(`${name}.`);
    await desk.page.getByLabel('Name in the domain').fill('home');
    await desk.page.getByRole('button', { name: 'Create key' }).click();
    const snippet = await desk.page.getByLabel(/^Key file for programs/).innerText();
    const fact = (member: string) => new RegExp(`^${member}=(.*)$`, 'm').exec(snippet)?.[1] ?? '';
    const secretKey = fact('ZONEWRIGHT_SECRET_KEY');
    await expectToWork(`${fact('ZONEWRIGHT_ACCESS_KEY')}.env`, snippet);
    await desk.page.getByText(`zonewright dyndns home.${name} `).waitFor();
    await desk.page.getByRole('button', { name: 'I have saved it' }).click();
    await desk.row('home router').getByText(`change home in ${name}: A AAAA`).waitFor();
    expect(await desk.page.content()).not.toContain(secretKey);
    const router = new Client({
      identityUrl: desk.demo['ZONEWRIGHT_IDENTITY_URL'] ?? '',
      auth: { accessKeyId: fact('ZONEWRIGHT_ACCESS_KEY'), secretKey, tenantId: desk.projectId() },
    });
    const record = { name: `home.${name}.`, type: 'A', data: '192.0.2.77' } as const;
    await router.records(id).add(record, { wait: 10 });
    await expect(router.records(id).add({ ...record, name: `www.${name}.` })).rejects.toMatchObject(
      { status: 403 },
    );
    await desk.page.goto(`${desk.origin}/p/${desk.projectId()}/domains/${name}/test`);
    await desk.page.getByLabel('Name', { exact: true }).fill('home');
    await desk.page.getByRole('button', { name: 'Query', exact: true }).click();
    await desk.page.getByText(/^All answers are identical \(6\)/).waitFor();
    await desk.page
      .getByText(/ A 192\.0\.2\.77$/)
      .first()
      .waitFor();
    await desk.page.getByRole('link', { name: 'Access keys', exact: true }).click();
    await desk.page.getByRole('button', { name: 'Delete home router' }).click();
    await desk.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await desk.page.getByText('Access key home router deleted').waitFor();
    await expect(router.records(id).add(record)).rejects.toMatchObject({ status: 401 });
  });

  it('explains a failed log-in, and accepts an access key as well', async () => {
    await desk.openBrowser();
    desk.watched.expectRefusals();
    desk.page = await desk.watched.page();
    await desk.page.getByLabel('User name').fill('demo');
    await desk.page.locator('input[name=password]').fill('wrong');
    await desk.page.getByRole('button', { name: 'Log in' }).click();
    await desk.page.getByText('Wrong user name, password or access key').waitFor();
    await desk.page.getByRole('radio', { name: 'Access key' }).check();
    await desk.page.locator('input[name=username]').fill(desk.demo['ZONEWRIGHT_ACCESS_KEY'] ?? '');
    await desk.page.locator('input[name=password]').fill(desk.demo['ZONEWRIGHT_SECRET_KEY'] ?? '');
    await desk.page.getByRole('button', { name: 'Log in' }).click();
    await desk.page.getByRole('heading', { name: 'Domains' }).waitFor();
    await desk.page.getByRole('button', { name: 'Log out' }).click();
    await desk.page.getByLabel('User name').waitFor();
    expect(await desk.watched.context.cookies()).toEqual([]);
  });

  it('shows the error of the service at the field, and keeps the input', async () => {
    await desk.openDomain();
    desk.watched.expectRefusals();
    await desk.page.getByRole('button', { name: 'New record' }).first().click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.300');
    await desk.page.getByRole('button', { name: 'Add record' }).click();
    await desk.page.getByText(/is not an IPv4 address/).waitFor();
    expect(await desk.page.getByLabel('IPv4 address').getAttribute('aria-invalid')).toBe('true');
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.30');
    await desk.page.getByRole('button', { name: 'Add record' }).click();
    await desk.row('192.0.2.30').waitFor();
  });

  it('if two users change one record, both values are shown, and the user chooses', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.11');
    const all: { id: string; name: string }[] = [];
    for await (const each of desk.client.records(id).list()) all.push(each);
    const www = all.find((each) => each.name === `www.${name}.`)?.id ?? '';
    await desk.client.records(id).change([{ action: 'update', id: www, record: { ttl: 900 } }]);
    await desk.page.getByRole('button', { name: 'Save', exact: true }).click();
    await desk.page
      .getByRole('heading', { name: 'This record was changed in the meantime' })
      .waitFor();
    await desk.page.getByRole('button', { name: 'Save selection' }).click();
    await desk.row('192.0.2.11').filter({ hasText: '900' }).waitFor();
    expect(await desk.records(id)).toContain(`www.${name}. A 192.0.2.11`);
  });

  it('changes and deletes many records at once, announces the effect, and undoes it', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const before = await desk.records(id);
    await desk.page.getByRole('checkbox', { name: 'Select all' }).check();
    await desk.page.getByRole('button', { name: 'Replace in data' }).click();
    await desk.page.getByLabel('Find').fill('192.0.2.');
    await desk.page.getByLabel('Replace with').fill('198.51.100.');
    await desk.page.getByRole('list', { name: 'Preview' }).getByText('198.51.100.2').waitFor();
    await desk.page.getByRole('button', { name: 'Apply' }).click();
    await desk.row('198.51.100.2').waitFor();
    expect(await desk.records(id)).toEqual([
      `mail.${name}. A 198.51.100.2`,
      `www.${name}. A 198.51.100.1`,
    ]);
    await desk.page.getByRole('button', { name: 'Undo' }).click();
    await desk.row('192.0.2.2').waitFor();
    expect(await desk.records(id)).toEqual(before);
    await desk.page.getByRole('checkbox', { name: 'Select all' }).check();
    await desk.page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = desk.page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Number of records').fill('2');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await desk.page.getByText('No records yet').waitFor();
    await desk.page.getByRole('button', { name: 'Undo' }).last().click();
    await desk.row('192.0.2.2').waitFor();
    expect(await desk.records(id)).toEqual(before);
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
  ])('accepts pasted text: %s', async (form, text, expected) => {
    const { name, id } = await desk.openDomain();
    await desk.paste(text);
    await desk.page.getByText(new RegExp(`format: ${form}`)).waitFor();
    await desk.page.getByText(`${expected.length} added, 0 changed, 0 deleted`).waitFor();
    await desk.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Import', exact: true })
      .click();
    await desk.untilPublished();
    await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await desk.records(id)).toEqual(
      expected.map((line) => line.replaceAll('?', `${name}.`)).toSorted(),
    );
  });

  it("imports another provider's file, and announces which records become public", async () => {
    const { name, id } = await desk.openDomain();
    await desk.page.getByRole('button', { name: 'Import', exact: true }).click();
    const text = `;; Domain:     ${name}.\nwww.${name}.\t1\tIN\tA\t192.0.2.1 ; shop cf_tags=cf-proxied:true,web\n`;
    await desk.page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'export.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await desk.page.getByText('Detected format: Cloudflare').waitFor();
    await desk.page.getByText('1 record needs your attention').waitFor();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await desk.records(id)).toEqual([`www.${name}. A 192.0.2.1`]);
  });

  it('creates a domain from each of several files', async () => {
    await desk.openDomain();
    await desk.page.getByRole('link', { name: 'Domains' }).first().click();
    await desk.page.getByRole('button', { name: 'New domain' }).click();
    await desk.page.getByLabel('From a zone file').check();
    const fileOf = (name: string) => ({
      name: `${name}.zone`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`\ufeff$ORIGIN ${name}.\r\n@ 60 IN A 192.0.2.1\r\n`, 'utf16le'),
    });
    await desk.page
      .getByLabel('Files', { exact: true })
      .setInputFiles(['first-of-two.example', 'second-of-two.example'].map(fileOf));
    await desk.page.getByText('first-of-two.example.zone, second-of-two.example.zone').waitFor();
    await desk.page.getByRole('button', { name: 'Create domain' }).click();
    await desk.page.getByText('2 domains created').waitFor();
    const made = desk.page.getByRole('link', { name: 'second-of-two.example' }).first();
    await made.waitFor();
    expect(await made.isVisible()).toBe(true);
  });

  it('10,000 pasted lines are previewed, imported, shown, filtered and undone', async () => {
    const { id } = await desk.openDomain();
    const lines = Array.from(
      { length: 10_000 },
      (_, index) => `h${index} IN A 192.0.${index >> 8}.${index & 255}`,
    );
    await desk.paste(lines.join('\n'));
    const patience = { timeout: 60_000 };
    await desk.page.getByText('10000 added, 0 changed, 0 deleted').waitFor(patience);
    await desk.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Import', exact: true })
      .click();
    await desk.page.getByText('10,000 records', { exact: true }).waitFor(patience);
    // Only visible rows are rendered.
    expect(await desk.page.getByRole('row').count()).toBeLessThan(80);
    await desk.page.locator('[role=grid][aria-rowcount="10001"]').waitFor(patience);
    await desk.page.getByRole('searchbox').fill('192.0.39.15');
    await desk.page.getByText('1 of 10,000 records').waitFor();
    await desk.page.getByRole('searchbox').fill('');
    // The toast is visible for seconds, and all of this may take as long.
    await desk.page.keyboard.press('Control+k');
    await desk.page.getByRole('combobox', { name: /^Page, domain, record/ }).fill('undo');
    await desk.page.getByRole('option', { name: /^Undo/ }).click();
    await desk.page.getByText('No records yet').waitFor(patience);
    expect(await desk.records(id)).toEqual([]);
  }, 180_000);

  it('the keyboard alone is enough to create, edit, select, delete and undo', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const press = async (...keys: string[]) => {
      for (const key of keys) await desk.page.keyboard.press(key);
    };
    await desk.page.getByRole('row').nth(1).focus();
    await press('n');
    await desk.page.getByRole('form', { name: 'New record' }).waitFor();
    await desk.page.keyboard.type('new');
    await press('Tab');
    await desk.page.keyboard.type('192.0.2.5');
    await press('Control+Enter');
    await desk.page.getByText(/^new A \S+ added$/).waitFor();
    await desk.page.getByRole('form').waitFor({ state: 'detached' });
    await desk.row('192.0.2.5').waitFor();
    await desk.page.getByRole('row').nth(1).focus();
    await press('e');
    await desk.page.getByRole('form', { name: /^Edit/ }).waitFor();
    await press('Tab');
    await press('Control+a');
    await desk.page.keyboard.type('192.0.2.22');
    await press('Enter');
    await desk.page.getByText(/^mail A \S+ changed$/).waitFor();
    await desk.page.getByRole('form').waitFor({ state: 'detached' });
    await desk.page.getByRole('row').nth(1).focus();
    await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Delete');
    await desk.page.getByLabel('Number of records').waitFor();
    await desk.page.keyboard.type('3');
    await press('Enter');
    await desk.page.getByText('No records yet').waitFor();
    const [undo] = await desk.page.getByRole('button', { name: 'Undo' }).all();
    await undo?.focus();
    await desk.page.getByRole('button', { name: 'Undo' }).last().focus();
    await press('Enter');
    await desk.row('192.0.2.22').waitFor();
    expect(await desk.records(id)).toEqual([
      `mail.${name}. A 192.0.2.22`,
      `new.${name}. A 192.0.2.5`,
      `www.${name}. A 192.0.2.1`,
    ]);
  });

  it('history: undoes a step, and restores the domain to a serial, each after a preview', async () => {
    const { name, id } = await desk.openDomain(TWO);
    const before = await desk.records(id);
    await desk
      .row('192.0.2.1')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await desk.page.getByText(/^www A \S+ deleted$/).waitFor();
    await desk.page.getByRole('link', { name: 'History' }).click();
    await desk.page.getByRole('button', { name: 'Details' }).first().click();
    await desk.page.getByRole('list', { name: 'Changes' }).getByText(`www.${name}.`).waitFor();
    await desk.page.getByRole('button', { name: 'Revert' }).first().click();
    await desk.page.getByRole('list', { name: 'Preview' }).getByText(`www.${name}.`).waitFor();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Revert change' }).click();
    await desk.page.getByText(/^Change of serial \d+ reverted/).waitFor();
    expect(await desk.records(id)).toEqual(before);
    await desk.page.getByRole('button', { name: 'Restore version' }).last().click();
    await desk.page.getByRole('list', { name: 'Preview' }).waitFor();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Restore version' }).click();
    await desk.page.getByText(/^Version of serial \d+ restored/).waitFor();
    expect(await desk.records(id)).toEqual([]);
  });

  it('a deleted domain can be restored at once, or later from the list', async () => {
    const { name } = await desk.openDomain(TWO);
    const remove = async () => {
      await desk.page.getByRole('link', { name: 'Settings' }).click();
      await desk.page.getByRole('button', { name: 'Delete domain' }).click();
      await desk.page.getByRole('dialog').getByRole('textbox').fill(name);
      await desk.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await desk.see(`${name} deleted`);
    };
    await remove();
    await desk.page.getByRole('button', { name: 'Undo' }).last().click();
    await desk.page.getByRole('link', { name, exact: true }).click();
    await remove();
    await desk.page.getByRole('radio', { name: 'Recently deleted' }).check();
    await desk.page
      .getByRole('row')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Restore' })
      .click();
    await desk.page.getByText(`${name} restored`).waitFor();
    expect((await desk.client.domains.get(name)).value.name).toBe(`${name}.`);
  });

  it('exports, changes, deletes and restores several domains at once; a failure is reported beside the successes', async () => {
    const [first, second, third] = [
      await desk.makeDomain(TWO),
      await desk.makeDomain(),
      await desk.makeDomain(),
    ];
    const made = [first, second, third];
    const names = made.map(({ name }) => name);
    await desk.openAs(desk.credentials());
    desk.watched.expectRefusals();
    await desk.show(`domains?q=scenario-`);
    const { page } = desk;
    const button = (name: string) => page.getByRole('button', { name, exact: true }).last();
    const dialog = page.getByRole('dialog');
    const select = async () => {
      for (const name of names)
        await page.getByRole('checkbox', { name: `Select ${name}` }).check();
      await page.getByText('3 domains selected').first().waitFor();
    };
    const download = async (name: string) => {
      const begun = page.waitForEvent('download');
      await button(name).click();
      return await readFile(await (await begun).path());
    };
    await select();
    expect(await desk.findBarriers()).toEqual([]);
    // The export is stopped while one of the domains waits, and started again.
    const zoneFiles = '**/zonefile';
    await page.route(zoneFiles, () => undefined);
    await button('Export zone files').click();
    await page.getByText('0 of 3', { exact: true }).waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    await button('Cancel').click();
    await page.getByText('Export stopped').waitFor();
    await page.unroute(zoneFiles);
    const files = readArchive(await download('Export zone files'));
    expect(Object.keys(files).toSorted()).toEqual(names.map((name) => `${name}.zone`).toSorted());
    for (const { id, name } of made)
      expect(files[`${name}.zone`]).toBe(await desk.client.domains.export(id));

    await button('Change e-mail and TTL').click();
    await dialog.getByLabel('TTL in seconds').fill('7200');
    await page.keyboard.press('Enter');
    await page.getByText('3 domains changed').waitFor();
    const ttls = async () =>
      await Promise.all(made.map(async ({ id }) => (await desk.client.domains.get(id)).value.ttl));
    expect(await ttls()).toEqual([7200, 7200, 7200]);
    await button('Undo').click();
    await waitFor(async () => !(await ttls()).includes(7200), 15_000);

    await select();
    await button('Delete').click();
    await dialog.getByRole('textbox').fill('2');
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(
      true,
    );
    expect(await desk.findBarriers()).toEqual([]);
    // Another user deletes one of them first.
    await desk.client.domains.delete(third.id);
    await dialog.getByRole('textbox').fill('3');
    await page.keyboard.press('Enter');
    await dialog.getByText(`${third.name}: `, { exact: false }).first().waitFor();
    await dialog.getByText('Stopped after 2 domains').waitFor();
    await page.keyboard.press('Escape');
    await button('Undo').click();
    await page.getByRole('link', { name: first.name, exact: true }).waitFor();
    expect(await desk.records(first.id)).toHaveLength(2);

    // This also covers later additions, with the keyboard.
    await desk.client.domains.delete(second.id);
    await page.getByRole('radio', { name: 'Recently deleted' }).check();
    for (const name of names.slice(1)) {
      await page.getByRole('checkbox', { name }).focus();
      await page.keyboard.press('Space');
    }
    expect(await desk.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Restore' }).first().press('Enter');
    await page.getByText('2 domains restored').waitFor();
    for (const { id } of made) await desk.client.domains.get(id);

    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    const usage = (await download('Download as CSV')).toString().split('\r\n');
    expect(usage[0]).toBe('domain,records,created_at,last_change_at,last_change_by,id');
    expect(usage.find((line) => line.startsWith(`${first.name},2,`))).toContain(first.id);
  }, 90_000);

  it('mail: replaces the existing provider or sets an own server with its address, each in one step; edits tags, and records by name', async () => {
    const { name, id } = await desk.openDomain(`${TWO}@ IN MX 10 mail\n`);
    const before = await desk.records(id);
    const { page } = desk;
    const form = page.getByRole('form', { name: 'New record' });
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).last().click();
      await waitFor(async () => (await desk.records(id)).join() === before.join(), 15_000);
    };
    const begin = async () => {
      await page.getByRole('button', { name: 'New record' }).first().click();
      await form.getByLabel('Type').selectOption('MX');
    };
    await desk.row('192.0.2.1').waitFor();
    await begin();
    await form.getByLabel('Mail provider').selectOption('Fastmail');
    await form.getByText(`Mail for ${name} goes to Fastmail.`).waitFor();
    await form.getByRole('checkbox', { name: `Delete existing records: 10 mail.${name}` }).check();
    expect(await desk.findBarriers()).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByText('3 changes saved').waitFor();
    const mx = async () => (await desk.records(id)).filter((line) => line.includes(' MX '));
    expect(await mx()).toEqual([
      `${name}. MX in1-smtp.messagingengine.com.`,
      `${name}. MX in2-smtp.messagingengine.com.`,
    ]);
    await undo();

    await begin();
    await form.getByLabel('Name', { exact: true }).fill('lists');
    await form.getByLabel('Priority').fill('10');
    await form.getByLabel('Mail server').fill('mx');
    await form.getByLabel(`Address of mx.${name}`).fill('192.0.2.25');
    await form.getByRole('button', { name: 'Add record' }).click();
    await desk.row('192.0.2.25').waitFor();
    expect(await desk.records(id)).toEqual(
      [...before, `lists.${name}. MX mx.${name}.`, `mx.${name}. A 192.0.2.25`].toSorted(),
    );
    await undo();

    await begin();
    await form.getByLabel('Name', { exact: true }).fill('www');
    await form.getByLabel('Mail provider').selectOption('No mail');
    await form.getByRole('button', { name: 'Add record' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await desk.records(id)).toContain(`www.${name}. MX .`);
    const shown = async () =>
      await page.locator('[role=row] [role=rowheader] > [aria-hidden]:visible').allInnerTexts();
    await waitFor(
      async () => (await shown()).filter((each) => each === 'www').length === 2,
      15_000,
    );
    await page.getByRole('button', { name: 'Group by name' }).press('Enter');
    await page.getByRole('button', { name: 'Type', exact: true }).click();
    await waitFor(
      async () => (await shown()).filter((each) => each === 'www').length === 1,
      15_000,
    );
    expect(await desk.findBarriers()).toEqual([]);
    await undo();

    await page.getByRole('checkbox', { name: `Select www A 192.0.2.1` }).check();
    await page.getByRole('button', { name: 'Change tags', exact: true }).click();
    await page.getByLabel('Add tags').fill('web office');
    await page.getByRole('list', { name: 'Preview' }).getByText('tags web, office').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await desk.row('192.0.2.1').getByRole('button', { name: 'office' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await desk
      .row('192.0.2.1')
      .getByRole('button', { name: 'office' })
      .waitFor({ state: 'detached' });
  }, 90_000);

  it('a session that ends in an open editor can be renewed there, and the edit is completed', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').getByRole('button', { name: /^Edit/ }).click();
    await desk.page.getByLabel('IPv4 address').fill('192.0.2.99');
    await desk.watched.context.clearCookies();
    await desk.page.getByRole('button', { name: 'Save', exact: true }).click();
    await desk.page.getByRole('heading', { name: 'Your session has expired' }).waitFor();
    await desk.page.locator('input[name=password]').fill(desk.credentials().password);
    await desk.page.getByRole('button', { name: 'Log in' }).click();
    await desk.page.getByText(/^www A \S+ changed$/).waitFor();
    expect(await desk.records(id)).toContain(`www.${name}. A 192.0.2.99`);
  });

  it('if the DNS API is unavailable, the data stays with its age, and is updated automatically later', async () => {
    const { name } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.row('192.0.2.1').waitFor();
    desk.platform.kill('dns-api');
    await desk.page.getByRole('link', { name: 'History' }).click();
    await desk.page.getByRole('link', { name: 'Records' }).click();
    await desk.row('192.0.2.1').waitFor();
    // `npm start` restarts dns-api without any action of the user.
    await waitFor(async () => (await desk.client.domains.list().next()).done !== undefined, 30_000);
    await desk.page.getByRole('link', { name: 'Publication' }).click();
    await desk.page.getByText('ns1-6', { exact: false }).first().waitFor({ timeout: 30_000 });
    expect(await desk.page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
  });

  it('account: a wrong password changes nothing, and the right one ends all other sessions', async () => {
    const as = await desk.addMember('dns-admin');
    const elsewhere = await desk.openSession(as);
    await desk.openAs(as);
    desk.watched.expectRefusals();
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/account`);
    const fill = async (original: string, next: string, again = next) => {
      await desk.page.getByLabel('Current password').fill(original);
      await desk.page.getByLabel('New password', { exact: true }).fill(next);
      await desk.page.getByLabel('Repeat new password').fill(again);
      await desk.page.getByRole('button', { name: 'Change password' }).click();
    };
    const next = 'a better password';
    await fill(as.password, next, 'another one');
    await desk.page.getByText('The passwords do not match.').waitFor();
    await fill('not the password', next);
    await desk.page.getByText('Wrong password.').waitFor();
    await fill(as.password, next);
    await desk.page.getByText('Password changed').waitFor();
    expect(await (await desk.ask('/session', elsewhere)).text()).toBe('');
    await desk.page.getByRole('link', { name: 'Domains' }).click();
    await desk.page
      .getByText(/^\d+ domains?$|^No domains/)
      .first()
      .waitFor();
    await desk.openSession({ ...as, password: next });
  });

  it.each(FORMS)('account: is accessible: %s, %i px', async (theme, width) => {
    await desk.openAs(desk.credentials(), { theme, width });
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/account`);
    await desk.page.getByRole('heading', { name: 'Appearance and language' }).waitFor();
    expect(await desk.findBarriers()).toEqual([]);
    await desk.page.getByRole('radio', { name: 'Deutsch' }).check();
    await desk.page.getByRole('heading', { name: 'Konto' }).waitFor();
  });

  it.each(FORMS)('operator: shows six nameservers: %s, %i px', async (theme, width) => {
    await desk.openAs(await desk.administrator(), { theme, width });
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/operator`);
    await desk.page.getByText('Live nameservers: 6 of 6').waitFor();
    expect(await desk.page.getByText('live', { exact: true }).count()).toBe(6);
    expect(await desk.findBarriers()).toEqual([]);
  });

  it('operator: activates DNS for a project, and ends it', async () => {
    const name = `project-${desk.nextNumber()}`;
    const admin = await desk.administration();
    await admin.call('createProjectV3', { body: { project: { name } } });
    await desk.openAs(await desk.administrator());
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/operator`);
    const row = desk.page.getByRole('row', { name });
    await desk.page.getByRole('searchbox', { name: 'Find projects by name' }).fill(name);
    await row.getByRole('button', { name: `Activate DNS for ${name}` }).click();
    await desk.page.getByText(`DNS activated for ${name}`).waitFor();
    await row.getByText('active', { exact: true }).waitFor();
    await row.getByRole('button', { name: `End DNS for ${name}` }).click();
    await row.getByText('not active').waitFor();
    await desk.page.getByRole('button', { name: 'Undo' }).last().click();
    await row.getByText('active', { exact: true }).waitFor();
    expect(await row.getByText('not active').count()).toBe(0);
  });

  it('operator: names the users who may see it', async () => {
    await desk.openAs(desk.credentials());
    desk.watched.expectRefusals();
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/operator`);
    await desk.page.getByText(/they have the role dns-operator/).waitFor();
    expect(await desk.page.getByRole('link', { name: 'Operator' }).count()).toBe(0);
  });

  it.each(FORMS)(
    'members: one user is invited, logs in with the first password, and loses the role: %s, %i px',
    async (theme, width) => {
      const username = `colleague-${desk.nextNumber()}`;
      await desk.openAs(await desk.administrator(), { theme, width });
      desk.page = await desk.watched.page(`/p/${desk.projectId()}/members`);
      await desk.row('demo').getByText('dns-admin').waitFor();
      await desk.page.getByRole('button', { name: 'Invite' }).click();
      await desk.page.getByLabel('User name').fill(username);
      expect(await desk.findBarriers()).toEqual([]);
      await desk.page.getByRole('button', { name: 'Create user' }).click();
      await desk.page.getByRole('heading', { name: 'User created' }).waitFor();
      const password = await desk.page.getByRole('dialog').locator('code').innerText();
      await desk.page.getByRole('button', { name: 'I have saved it' }).click();
      await desk.row(username).getByText('dns-admin').waitFor();
      expect(await desk.page.content()).not.toContain(password);
      expect(await desk.findBarriers()).toEqual([]);
      const theirs = await desk.openSession({ username, password });
      const domains = `/api/${desk.projectId()}/dns/v1/domains`;
      expect((await desk.ask(domains, theirs)).status).toBe(200);
      await desk.page.getByRole('button', { name: `Remove dns-admin from ${username}` }).click();
      await desk.page.getByRole('button', { name: 'Remove role', exact: true }).click();
      await desk.page.getByText(`Role dns-admin removed from ${username}`).waitFor();
      await desk.row(username).waitFor({ state: 'detached' });
    },
  );

  it('members: names those who can invite to users who cannot', async () => {
    await desk.openAs(desk.credentials());
    desk.page = await desk.watched.page(`/p/${desk.projectId()}/members`);
    await desk.page.getByText(/Only administrators can see and invite/).waitFor();
    expect(await desk.page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });

  it.each(FORMS)(
    'DNSSEC: a domain is signed, shows its DS, and is unsigned after a confirmation: %s, %i px',
    async (theme, width) => {
      const { id } = await desk.openDomain(TWO, { theme, width });
      await desk.page.getByRole('link', { name: 'Settings', exact: true }).click();
      await desk.page.getByRole('button', { name: 'Sign domain' }).click();
      await desk.page.getByText('signed', { exact: true }).waitFor();
      const { ds } = (await desk.client.call('getDnssec', { path: { domainId: id } })).value;
      await desk.page.getByText(ds[0] ?? 'no DS', { exact: true }).waitFor();
      await desk.page.getByRole('button', { name: 'Copy DS' }).click();
      expect(await desk.page.evaluate('navigator.clipboard.readText()')).toBe(ds.join('\n'));
      expect(await desk.findBarriers()).toEqual([]);
      await desk.page.getByRole('button', { name: 'Stop signing' }).click();
      await desk.page.getByRole('dialog').getByRole('button', { name: 'Stop signing' }).click();
      await desk.page.getByText('waiting for deletion of the DS record').waitFor();
    },
  );

  it('an import does exactly what was previewed, or nothing', async () => {
    const { name, id } = await desk.openDomain(TWO);
    desk.watched.expectRefusals();
    await desk.paste('ftp 60 IN CNAME www\n');
    await desk.page.getByText('1 added, 0 changed, 0 deleted').waitFor();
    await desk.client.records(id).add({ name: `new.${name}.`, type: 'A', data: '192.0.2.5' });
    const doIt = desk.page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true });
    await doIt.click();
    await desk.page.getByText(/^The domain was changed in the meantime/).waitFor();
    expect(await desk.records(id)).not.toContain(`ftp.${name}. CNAME www.${name}.`);
    // The preview is being prepared again.
    await desk.page.getByText('Preparing preview').waitFor({ state: 'detached' });
    await doIt.click();
    await desk.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await desk.records(id)).toContain(`ftp.${name}. CNAME www.${name}.`);
  });

  it('speaks German, and remembers the language', async () => {
    await desk.openDomain(TWO);
    await desk.page.getByLabel('Language').selectOption('de');
    await desk.page.getByRole('button', { name: 'Neuer Eintrag' }).waitFor();
    await desk.page.reload();
    await desk.page.getByRole('button', { name: 'Neuer Eintrag' }).waitFor();
    expect(await desk.page.evaluate('document.documentElement.lang')).toBe('de');
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['dark', 390],
  ] as const)(
    'all of it is accessible: %s, %i px (WCAG 2.2, by axe)',
    async (theme, width) => {
      await desk.openDomain(`${TWO}@ IN MX 10 mail\n@ IN TXT "v=spf1 mx -all"\n`, { theme, width });
      const found: Record<string, string[]> = {};
      const look = async (screen: string) => {
        const barriers = await findBarriers(desk.page);
        if (barriers.length > 0) found[screen] = barriers;
      };
      await desk.row('192.0.2.1').waitFor();
      await desk.untilPublished();
      await look('records');
      expect(await desk.isSideways()).toBe(false);
      await desk.page.getByRole('checkbox', { name: /^Select www/ }).check();
      await look('records, one selected');
      await desk.page.getByRole('button', { name: 'New record' }).click();
      await look('records, a new one');
      await desk.page.getByRole('button', { name: 'Import' }).click();
      await look('import');
      await desk.page.keyboard.press('Escape');
      for (const [link, waiting] of [
        ['History', 'Revert'],
        ['Settings', 'Delete domain'],
      ] as const) {
        await desk.page.getByRole('link', { name: link, exact: true }).click();
        await desk.page.getByRole('button', { name: waiting }).first().waitFor();
        await look(link);
        expect(await desk.isSideways()).toBe(false);
      }
      await desk.page.getByRole('link', { name: 'Publication', exact: true }).click();
      await desk.page.getByText('published', { exact: true }).first().waitFor();
      await look('Publication');
      await desk.page.getByRole('link', { name: 'Health', exact: true }).click();
      await desk.page.getByRole('heading', { name: 'Checks' }).waitFor();
      await look('Health');
      expect(await desk.isSideways()).toBe(false);
      await desk.page.getByRole('link', { name: 'Query nameservers', exact: true }).click();
      await desk.page.getByText(/^All answers are identical \(6\)/).waitFor();
      await look('Query nameservers');
      expect(await desk.isSideways()).toBe(false);
      const goTo = async (link: string) => {
        if (width < 500) await desk.page.getByRole('button', { name: 'Menu' }).click();
        await desk.page.getByRole('link', { name: link, exact: true }).first().click();
      };
      await goTo('Usage');
      await desk.page.getByRole('heading', { name: 'Records in all domains' }).waitFor();
      await look('Usage');
      await goTo('Access keys');
      await desk.page
        .getByText(desk.demo['ZONEWRIGHT_ACCESS_KEY'] ?? '')
        .first()
        .waitFor();
      await look('Access keys');
      expect(await desk.isSideways()).toBe(false);
      await desk.page.getByRole('button', { name: 'New key' }).click();
      await look('a new key');
      await desk.page.keyboard.press('Escape');
      await goTo('Domains');
      await desk.page.getByText(/^\d+ domains?$/).waitFor();
      await look('Domains');
      await desk.page.getByRole('button', { name: 'New domain' }).click();
      await look('a new domain');
      await desk.page.keyboard.press('Escape');
      if (width < 500) await desk.page.getByRole('button', { name: 'Menu' }).click();
      await desk.page.getByRole('button', { name: 'Log out' }).click();
      await desk.page.getByLabel('User name').waitFor();
      await look('log-in');
      expect(found).toEqual({});
    },
    120_000,
  );
});
