import { Client } from '../../packages/client/dist/index.js';

/** Opens a client of the API, separate from the console. */
function openClient(demo) {
  return new Client({
    identityUrl: demo.ZONEWRIGHT_IDENTITY_URL,
    auth: {
      username: demo.ZONEWRIGHT_USERNAME,
      password: demo.ZONEWRIGHT_PASSWORD,
      tenantId: demo.ZONEWRIGHT_TENANT_ID,
    },
  });
}

/** Returns the cookie of a session: `zonewright=...`. */
export async function openSession({ demo, origin }) {
  const response = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      username: demo.ZONEWRIGHT_USERNAME,
      password: demo.ZONEWRIGHT_PASSWORD,
    }),
  });
  return response.headers.get('set-cookie').split(';')[0];
}

/** Opens a page in a browser that is logged in. */
export async function openPage(platform, browser, path) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name, value] = (await openSession(platform)).split('=');
  await context.addCookies([{ name, value, domain: '127.0.0.1', path: '/', httpOnly: true }]);
  const page = await context.newPage();
  await page.goto(`${platform.origin}/p/${platform.demo.ZONEWRIGHT_TENANT_ID}${path}`);
  return page;
}

export async function importDomain(demo, name, zonefile) {
  const { value } = await openClient(demo).domains.importNew({
    name: `${name}.`,
    email: `hostmaster@${name}`,
    zonefile: `$ORIGIN ${name}.\n${zonefile}`,
  });
  return value.domain.id;
}

export function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];
}

export const ms = (value) => `${value.toFixed(1)} ms`;
