import { Client } from '@zonewright/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { RunningPlatform } from '../support/running-platform.js';
import { findBarriers, launchBrowser, WatchedBrowser } from './browser.js';

export { hasChromium } from './browser.js';

export const TWO = 'www 300 IN A 192.0.2.1\nmail 300 IN A 192.0.2.2\n';
export const FORMS = [
  ['light', 1280],
  ['dark', 390],
] as const;
export const ourPage = { 'sec-fetch-site': 'same-origin' };

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Look {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
}

/** Platform with six nameservers and the console, and a user with a browser. */
export class Desk {
  readonly platform: RunningPlatform;
  readonly demo: Readonly<Record<string, string>>;
  readonly origin: string;
  /** Client of the API, as another user, or to check the real state. */
  readonly client: Client;
  watched!: WatchedBrowser;
  page!: Page;
  #browser: Browser | undefined;
  /** Browsers in addition to `watched`. */
  #others: WatchedBrowser[] = [];
  #count = 0;

  private constructor(platform: RunningPlatform, demo: Readonly<Record<string, string>>) {
    this.platform = platform;
    this.demo = demo;
    this.origin = `http://127.0.0.1:${platform.ports.console}`;
    this.client = new Client({
      identityUrl: demo['ZONEWRIGHT_IDENTITY_URL'] ?? '',
      auth: {
        accessKeyId: demo['ZONEWRIGHT_ACCESS_KEY'] ?? '',
        secretKey: demo['ZONEWRIGHT_SECRET_KEY'] ?? '',
        tenantId: demo['ZONEWRIGHT_TENANT_ID'] ?? '',
      },
    });
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<Desk> {
    const platform = await RunningPlatform.prepare();
    await platform.start({
      ZONEWRIGHT_CONSOLE: 'true',
      ZONEWRIGHT_NAMESERVER_COUNT: '6',
      DNS_API_MAX_DOMAINS: '200',
      DNS_API_MAX_DOMAIN_RECORDS: '20000',
      // The resolver reports each domain as delegated to these nameservers.
      DNS_API_CHECK_RESOLVER: `127.0.0.1:${platform.ports.nameserver}`,
      ...env,
    });
    return new Desk(platform, await platform.readDemoEnvironment());
  }

  async launchBrowser(): Promise<void> {
    this.#browser = await launchBrowser();
  }

  async remove(): Promise<void> {
    await this.#browser?.close();
    await this.platform.remove();
  }

  /** Closes everything that a scenario opened. Returns the errors that occurred. */
  async close(): Promise<{ leaks: string[]; faults: string[] }> {
    const all = [this.watched, ...this.#others];
    this.#others = [];
    const leaks = this.page.isClosed() ? [] : await this.watched.leaks(this.page);
    for (const each of all) await each.close();
    return { leaks, faults: all.flatMap(({ faults }) => faults) };
  }

  credentials(): Credentials {
    return {
      username: this.demo['ZONEWRIGHT_USERNAME'] ?? '',
      password: this.demo['ZONEWRIGHT_PASSWORD'] ?? '',
    };
  }

  projectId(): string {
    return this.demo['ZONEWRIGHT_TENANT_ID'] ?? '';
  }

  nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Returns the credentials of the administrator of all accounts. */
  async administrator(): Promise<Credentials> {
    const clouds = await readFile(join(this.platform.dataFolder, 'clouds.yaml'), 'utf8');
    const ofAdministrator = clouds.slice(clouds.indexOf('zonewright-admin:'));
    const valueOf = (member: string) =>
      JSON.parse(
        new RegExp(`^ *${member}: (.*)$`, 'm').exec(ofAdministrator)?.[1] ?? '""',
      ) as string;
    return { username: valueOf('username'), password: valueOf('password') };
  }

  async openSession(as = this.credentials()): Promise<string> {
    const response = await fetch(`${this.origin}/session`, {
      method: 'POST',
      headers: { ...ourPage, 'content-type': 'application/json' },
      body: JSON.stringify(as),
    });
    if (response.status !== 200) throw new Error(`a log-in is answered with ${response.status}`);
    return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  ask(path: string, cookie: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, {
      ...init,
      headers: { ...ourPage, cookie, ...(init.headers as Record<string, string>) },
    });
  }

  /** Returns a client of the administrator with an additional role in the project. */
  async administration(): Promise<Client> {
    const auth = { ...(await this.administrator()), tenantId: this.projectId() };
    return new Client({ identityUrl: this.demo['ZONEWRIGHT_IDENTITY_URL'] ?? '', auth });
  }

  /** Adds a separate user for the scenario, with these roles in the project. */
  async addMember(...roles: readonly string[]): Promise<Credentials> {
    const number = this.nextNumber();
    const as = { username: `member-${number}`, password: `first password ${number}` };
    const admin = await this.administration();
    const user = { name: as.username, password: as.password };
    const { value } = await admin.call('createUserV3', { body: { user } });
    for (const role of roles) await this.grant(admin, value.user.id, role);
    return as;
  }

  async grant(
    admin: Client,
    userId: string,
    role: string,
    projectId = this.projectId(),
  ): Promise<void> {
    const { value } = await admin.call('listRolesV3', { query: { name: role } });
    const roleId = value.roles[0]?.id ?? '';
    await admin.call('grantRoleOnProjectV3', { path: { projectId, userId, roleId } });
  }

  async openBrowser(look: Look = {}): Promise<WatchedBrowser> {
    this.watched = await this.#open(look);
    return this.watched;
  }

  /** Opens a session without the login form, which has its own scenarios. */
  async openAs(as: Credentials, look: Look = {}): Promise<void> {
    await logIn(await this.openBrowser(look), await this.openSession(as));
  }

  /** Opens another browser, for the same user or another one. */
  async openOther(as = this.credentials()): Promise<WatchedBrowser> {
    const other = await this.#open({});
    this.#others.push(other);
    await logIn(other, await this.openSession(as));
    return other;
  }

  async #open(look: Look): Promise<WatchedBrowser> {
    if (this.#browser === undefined) throw new Error('there is no browser');
    const secrets = [this.credentials().password, this.demo['ZONEWRIGHT_SECRET_KEY'] ?? ''];
    return await WatchedBrowser.open(this.#browser, { origin: this.origin, secrets, ...look });
  }

  /** Creates a domain for the scenario, with records. */
  async makeDomain(zonefile = ''): Promise<{ name: string; id: string }> {
    const name = `scenario-${this.nextNumber()}.example`;
    const email = `hostmaster@${name}`;
    const { value } = await this.client.domains.create({ name: `${name}.`, email });
    if (zonefile !== '')
      await this.client.domains.import(value.id, { zonefile: `$ORIGIN ${name}.\n${zonefile}` });
    return { name, id: value.id };
  }

  /** Logs the browser in and shows such a domain. */
  async openDomain(zonefile = '', look: Look = {}): Promise<{ name: string; id: string }> {
    const domain = await this.makeDomain(zonefile);
    await this.openAs(this.credentials(), look);
    await this.show(`domains/${domain.name}`);
    await this.page.getByRole('heading', { name: domain.name, level: 1 }).waitFor();
    return domain;
  }

  /** Opens a URL below the project. */
  async show(path: string): Promise<void> {
    this.page = await this.watched.page(`/p/${this.projectId()}/${path}`);
  }

  row(text: RegExp | string): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  /** Waits for a text. If it does not appear, the error contains the text of the page. */
  async see(text: string): Promise<void> {
    try {
      await this.page.getByText(text).waitFor();
    } catch (cause) {
      const seen = await this.page.locator('body').innerText();
      throw new Error(`${JSON.stringify(text)} is not there, but: ${seen}`, { cause });
    }
  }

  /** Returns the records of a domain from the API, without managed records. */
  async records(id: string): Promise<string[]> {
    const all: string[] = [];
    for await (const { name, type, data } of this.client.records(id).list())
      if (type !== 'NS') all.push(`${name} ${type} ${data}`);
    return all.toSorted();
  }

  async paste(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.getByRole('heading', { name: 'Records' }).click();
    await this.page.keyboard.press('Control+v');
  }

  untilPublished(): Promise<void> {
    return this.page.getByText(/^Published on 6 of 6/).waitFor();
  }

  isSideways(): Promise<boolean> {
    return this.page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
  }

  /** Returns the accessibility problems of the current screen. */
  async findBarriers(): Promise<string[]> {
    const barriers = await findBarriers(this.page);
    return (await this.isSideways()) ? [...barriers, 'it must be scrolled sideways'] : barriers;
  }
}

async function logIn(browser: WatchedBrowser, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  const place = { domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' } as const;
  await browser.context.addCookies([{ name, value, ...place }]);
}
