// `npm run screenshots` takes pictures of every screen of the console and writes them to docs/console/*.png: in light and dark colours, and in the width of a telephone. It starts a separate platform and uses Debian's chromium (CHROMIUM names another browser).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium, startConsole } from './console-platform.mjs';
import { build, ensureInstalled, ROOT } from './install.mjs';

ensureInstalled();
build();
const { Client } = await import('../packages/client/dist/index.js');

const FORMS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  small: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
};
const FOLDER = join(ROOT, 'docs', 'console');

const ZONE = `$ORIGIN example.com.
@ 3600 IN A 192.0.2.10
@ 3600 IN AAAA 2001:db8::10
@ IN MX 10 mail
@ IN MX 20 mail.example.net.
@ IN TXT "v=spf1 mx include:_spf.example.net -all"
@ IN CAA 0 issue "letsencrypt.org"
_dmarc IN TXT "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"
api 60 IN A 192.0.2.20
api 60 IN A 192.0.2.21
blog IN CNAME pages.example.net.
ftp IN CNAME www
mail IN A 192.0.2.25
mail IN AAAA 2001:db8::25
shop 300 IN CNAME shops.example.net.
status IN CNAME status.example.net.
www IN A 192.0.2.10
_sip._tcp IN SRV 10 60 5060 sip.example.net.
`;
const OTHERS = [
  'example.net',
  'example.org',
  'bakery.example',
  'xn--bcher-kva.example',
  'weather-station.example',
  'the-longest-name-of-all-that-anybody-has-registered-here.example',
  'shop.example',
  'museum.example',
  // The name is as long as a name can be (RFC 1035, section 2.3.4), and has no point where a line could break.
  [63, 63, 63, 53].map((length) => 'llanfair'.repeat(8).slice(0, length)).join('.') + '.example',
];

/** The path of each screen, and the element that must be visible before the picture is taken. */
const SCREENS = {
  domains: ['/domains', (page) => page.getByText('example.org').waitFor()],
  'domains-selected': [
    '/domains',
    async (page) => {
      for (const name of ['bakery.example', 'museum.example', 'shop.example'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    },
  ],
  records: [
    '/domains/example.com',
    async (page) => {
      await page.getByText('api').first().waitFor();
      await page.getByText(/^Published on/).waitFor();
    },
  ],
  'new-record': [
    '/domains/example.com',
    async (page) => {
      await page.getByText(/^Published on/).waitFor();
      await page.getByRole('button', { name: 'New record' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill('www');
      await page.getByLabel('IPv4 address').fill('192.0.2.11');
    },
  ],
  mail: [
    '/domains/example.com',
    async (page) => {
      await page.getByText(/^Published on/).waitFor();
      await page.getByRole('button', { name: 'New record' }).first().click();
      await page.getByRole('form').getByLabel('Type').selectOption('MX');
      await page.getByLabel('Mail provider').selectOption('Proton Mail');
      await page.getByRole('checkbox', { name: /^Delete existing records/ }).check();
    },
  ],
  import: [
    '/domains/example.com',
    async (page) => {
      await page.getByText(/^Published on/).waitFor();
      await page.getByRole('button', { name: 'Import' }).click();
      await page
        .getByRole('textbox')
        .fill(
          'name,type,data,ttl\napi,A,192.0.2.22,60\n@,MX,10 mail.example.com.,\ncdn,CNAME,edge.example.net.,300\nold,A,192.0.2.300,\n',
        );
      await page.getByText(/ added, /).waitFor();
    },
  ],
  history: [
    '/domains/example.com/history',
    async (page) => {
      await page.getByRole('button', { name: 'Details' }).first().click();
      await page.getByRole('listitem').filter({ hasText: /^\+ / }).first().waitFor();
    },
  ],
  publish: [
    '/domains/example.com/publish',
    (page) => page.getByText('published', { exact: true }).first().waitFor(),
  ],
  health: [
    '/domains/example.com/health',
    (page) => page.getByRole('heading', { name: 'Checks' }).waitFor(),
  ],
  test: [
    '/domains/example.com/test',
    async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('www');
      await page.getByRole('button', { name: 'Query', exact: true }).click();
      await page.getByText(/^All answers are identical/).waitFor();
    },
  ],
  compare: [
    '/domains/example.com/history',
    async (page) => {
      await page.getByRole('button', { name: 'Compare versions' }).click();
      await page.getByLabel('From serial').selectOption({ index: 2 });
      await page
        .getByRole('listitem')
        .filter({ hasText: /^\+ vpn/ })
        .waitFor();
    },
  ],
  collected: [
    '/domains/example.com',
    async (page) => {
      await page.getByText(/^Published on/).waitFor();
      await page.getByRole('button', { name: 'Collect changes' }).click();
      for (const name of ['Delete ftp CNAME', 'Delete vpn A'])
        await page.getByRole('button', { name }).first().click();
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('list', { name: 'Preview' }).waitFor();
    },
  ],
  palette: [
    '/domains/example.com',
    async (page) => {
      await page.getByText(/^Published on/).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Page, domain' }).fill('ma');
      await page.getByRole('option', { name: /^mail/ }).first().waitFor();
    },
  ],
  keys: ['/keys', (page) => page.getByText('laptop').first().waitFor()],
  'new-key': [
    '/keys',
    async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name', { exact: true }).fill('home router');
      await page.getByLabel('Rights').selectOption('dyndns');
      await page.getByLabel('Domain', { exact: true }).selectOption('example.com.');
      await page.getByLabel('Name in the domain').fill('home');
    },
  ],
  usage: [
    '/usage',
    (page) => page.getByRole('heading', { name: 'Records in all domains' }).waitFor(),
  ],
  account: ['/account', (page) => page.getByLabel('Current password').waitFor()],
  settings: [
    '/domains/example.com/settings',
    (page) => page.getByText('ns1-1', { exact: false }).first().waitFor(),
  ],
};

/** Screens that only an administrator of accounts and nameservers sees. */
const OF_ADMINISTRATOR = {
  members: ['/members', (page) => page.getByRole('button', { name: 'Invite' }).waitFor()],
  operator: ['/operator', (page) => page.getByText('Live nameservers: 6 of 6').waitFor()],
};

async function seed(demo) {
  const client = new Client({
    identityUrl: demo.ZONEWRIGHT_IDENTITY_URL,
    auth: {
      username: demo.ZONEWRIGHT_USERNAME,
      password: demo.ZONEWRIGHT_PASSWORD,
      tenantId: demo.ZONEWRIGHT_TENANT_ID,
    },
  });
  const { value } = await client.domains.importNew({
    name: 'example.com.',
    email: 'hostmaster@example.com',
    zonefile: ZONE,
  });
  for (const name of OTHERS)
    await client.domains.create({ name: `${name}.`, email: 'hostmaster@example.com' });
  await client.keys.create({ otherAttributes: { name: 'laptop' } });
  await client.keys.create({
    otherAttributes: {
      name: 'build server',
      restrictions: {
        tenantId: demo.ZONEWRIGHT_TENANT_ID,
        rules: [
          { zone: '*', actions: ['read'] },
          {
            zone: 'example.com.',
            name: '*.dev',
            types: ['A', 'AAAA'],
            actions: ['read', 'update'],
          },
        ],
        networks: ['192.0.2.0/24'],
      },
    },
  });
  const records = client.records(value.domain.id);
  const note = 'moved to the new data centre';
  await records.change([
    { action: 'create', record: { name: 'vpn.example.com.', type: 'A', data: '192.0.2.40' } },
  ]);
  const [www] = (
    await client.call('listRecords', {
      path: { domainId: value.domain.id },
      query: { name: 'www.example.com.' },
    })
  ).value.records;
  await records.change(
    [{ action: 'update', id: www.id, record: { data: '192.0.2.11', ttl: 300 } }],
    { note, wait: 5 },
  );
}

async function takePictures(browser, platform, [form, options]) {
  const { demo, administrator } = platform;
  const user = { username: demo.ZONEWRIGHT_USERNAME, password: demo.ZONEWRIGHT_PASSWORD };
  await takeAs(browser, platform, { form, options, user, screens: SCREENS });
  await takeAs(browser, platform, {
    ...{ form, options },
    user: administrator,
    screens: OF_ADMINISTRATOR,
  });
}

async function takeAs(browser, { demo, origin }, { form, options, user, screens }) {
  const context = await browser.newContext({
    ...options,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const save = (name) => page.screenshot({ path: join(FOLDER, `${name}-${form}.png`) });
  await page.goto(origin);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  if (screens === SCREENS) await save('login');
  await page.getByLabel('User name').fill(user.username);
  await page.locator('input[name=password]').fill(user.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
  for (const [name, [path, prepare]] of Object.entries(screens)) {
    await page.goto(`${origin}/p/${demo.ZONEWRIGHT_TENANT_ID}${path}`);
    await prepare(page);
    // The page waits until nothing is loading, not until the network is idle: the stream of events never ends.
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await save(name);
    // A tab keeps typed text and pending changes in its session storage.
    await page.evaluate('sessionStorage.clear()');
  }
  await context.close();
}

mkdirSync(FOLDER, { recursive: true });
const platform = await startConsole();
try {
  await seed(platform.demo);
  const browser = await launchChromium();
  for (const form of Object.entries(FORMS)) await takePictures(browser, platform, form);
  await browser.close();
} finally {
  await platform.stop();
}
console.log(`Pictures are in ${FOLDER}.`);
