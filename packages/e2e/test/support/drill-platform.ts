import { sendQuery, freePort, type NameserverAddress } from '@zonewright/testkit';
import { call } from './clients.js';
import { adminJson, type AdminResult, runAdmin, ServiceProcess } from './programs.js';

/** Each role's own login, as in production. */
export const ROLE_PASSWORDS = {
  IDENTITY_DATABASE_PASSWORD: 'identity-password',
  DNS_API_DATABASE_PASSWORD: 'dns-api-password',
  NAMESERVER_DATABASE_PASSWORD: 'nameserver-password',
  OPERATOR_DATABASE_PASSWORD: 'operator-password',
};

const USER = { username: 'driller', password: 'a password to keep' };
const TENANT = 'drilled';
export const ACCOUNT = 'Drilled Ltd';

interface Access {
  readonly token: { readonly id: string; readonly tenant: { readonly id: string } };
  readonly serviceCatalog: { readonly type: string }[];
  readonly user: { readonly id: string; readonly roles: { readonly name: string }[] };
}

interface DrillPlatformOptions {
  readonly encryptionKeys: string;
  /** Where the nameserver keeps its snapshot. */
  readonly snapshotFolder: string;
}

/** identity-service, dns-api and one nameserver, on any database; their addresses stay the same. */
export class DrillPlatform {
  readonly #options: DrillPlatformOptions;
  readonly #ports: { identity: number; dns: number; nameserver: number };
  #serviceKey = { id: '', secretKey: '' };
  #databaseUrl = '';
  #services: ServiceProcess[] = [];

  private constructor(options: DrillPlatformOptions, ports: DrillPlatform['ports']) {
    this.#options = options;
    this.#ports = ports;
  }

  static async prepare(options: DrillPlatformOptions): Promise<DrillPlatform> {
    return new DrillPlatform(options, {
      identity: await freePort(),
      dns: await freePort(),
      nameserver: await freePort(),
    });
  }

  get ports(): { identity: number; dns: number; nameserver: number } {
    return this.#ports;
  }

  get operatorEnv(): Readonly<Record<string, string>> {
    return {
      DATABASE_URL: this.#urlAs('operator', 'operator-password'),
      ENCRYPTION_KEYS: this.#options.encryptionKeys,
    };
  }

  /** The database that everything works on from the next start on. */
  set databaseUrl(url: string) {
    this.#databaseUrl = url;
  }

  /** Makes an installation of a migrated database. */
  async bootstrap(): Promise<void> {
    const env = this.operatorEnv;
    const { identity, dns } = this.#ports;
    const urls = ['--identity-url', `http://127.0.0.1:${identity}`];
    await adminJson(
      [
        ...['bootstrap', ...urls, '--dns-url', `http://127.0.0.1:${dns}`],
        ...['--nameserver-domain', 'ns.drill.example', '--nameserver', 'ns1-1=127.0.0.1'],
      ],
      env,
    );
    this.#serviceKey = await adminJson(['access-key', 'create', '--user', 'dns-api'], env);
  }

  /** Makes a tenant with a user, in an account domain of their own. */
  async addTenant(): Promise<void> {
    const env = this.operatorEnv;
    await adminJson(['account-domain', 'create', ACCOUNT], env);
    const domain = ['--account-domain', ACCOUNT];
    await adminJson(['tenant', 'create', TENANT, ...domain], env);
    const create = ['user', 'create', USER.username, '--password-stdin', ...domain];
    await adminJson(create, env, USER.password);
    await adminJson(['role', 'grant', 'dns-admin', USER.username, '--tenant', TENANT], env);
    await adminJson(['service', 'activate', 'DNS', TENANT], env);
  }

  async start(): Promise<void> {
    await this.startNameserver();
    const { identity, dns } = this.#ports;
    // One after the other, so that stop() ends the first one if the second does not start.
    this.#services.push(
      await ServiceProcess.start('identity-service', {
        DATABASE_URL: this.#urlAs('identity', 'identity-password'),
        ENCRYPTION_KEYS: this.#options.encryptionKeys,
        IDENTITY_HOST: '127.0.0.1',
        IDENTITY_PORT: String(identity),
        IDENTITY_OPERATIONS_PORT: '0',
      }),
    );
    this.#services.push(
      await ServiceProcess.start('dns-api', {
        DATABASE_URL: this.#urlAs('dns_api', 'dns-api-password'),
        IDENTITY_URL: `http://127.0.0.1:${identity}`,
        DNS_API_SERVICE_ACCESS_KEY: this.#serviceKey.id,
        DNS_API_SERVICE_SECRET_KEY: this.#serviceKey.secretKey,
        DNS_API_HOST: '127.0.0.1',
        DNS_API_PORT: String(dns),
        DNS_API_OPERATIONS_PORT: '0',
      }),
    );
  }

  async startNameserver(): Promise<void> {
    this.#services.push(
      await ServiceProcess.start('nameserver', {
        DATABASE_URL: this.#urlAs('nameserver', 'nameserver-password'),
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: String(this.#ports.nameserver),
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_SNAPSHOT_DIR: this.#options.snapshotFolder,
        NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
        // Of a test machine's memory.
        NAMESERVER_IMAGE_BYTES: '16777216',
      }),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
  }

  async logIn(): Promise<string> {
    return (await this.authenticate({ passwordCredentials: USER })).token.id;
  }

  /** What a log-in into the tenant answers. */
  async authenticate(credentials: object): Promise<Access> {
    const { body } = await call(`http://127.0.0.1:${this.#ports.identity}/v2.0/tokens`, {
      method: 'POST',
      body: { auth: { ...credentials, tenantName: TENANT } },
    });
    return (body as { access: Access }).access;
  }

  /** The status of a request to dns-api with this token. */
  async statusWith(token: string): Promise<number> {
    return (await call(this.#domains, { token })).status;
  }

  async revoke(token: string): Promise<void> {
    const url = `http://127.0.0.1:${this.#ports.identity}/v2.0/tokens/${token}`;
    const { status } = await call(url, { method: 'DELETE', token: await this.logIn() });
    if (status !== 204) throw new Error(`revoke: ${status}`);
  }

  /** Creates a domain with one A record at its apex. @returns the URL of the record */
  async createDomain(token: string, name: string, address: string): Promise<string> {
    const { body } = await call(this.#domains, {
      method: 'POST',
      token,
      body: { name, email: 'hostmaster@drill.example' },
    });
    const { id } = body as { id: string };
    const record = await call(`${this.#domains}/${id}/records`, {
      method: 'POST',
      token,
      body: { name, type: 'A', data: address },
    });
    if (record.status !== 200) throw new Error(`record: ${record.status}`);
    return record.headers.get('location') ?? '';
  }

  async deleteDomain(token: string, recordUrl: string): Promise<void> {
    const { status } = await call(recordUrl.replace(/\/records\/.*/, ''), {
      method: 'DELETE',
      token,
    });
    if (status !== 200 && status !== 204) throw new Error(`delete: ${status}`);
  }

  async changeAddress(token: string, recordUrl: string, data: string): Promise<void> {
    const { status } = await call(recordUrl, { method: 'PUT', token, body: { data } });
    if (status !== 200) throw new Error(`change: ${status}`);
  }

  /** What the nameserver answers: an address, or the code of an answer without any. */
  async resolve(name: string): Promise<string> {
    const { rcode, answers } = await sendQuery(this.#nameserver, name.replace(/\.$/, ''), 'A');
    const [answer] = answers;
    return answer?.type === 'A' ? answer.data : rcode;
  }

  /** Runs a command of the operator, whatever comes of it. */
  async operate(args: readonly string[], stdin = ''): Promise<AdminResult> {
    return await runAdmin(args, this.operatorEnv, stdin);
  }

  get #domains(): string {
    return `http://127.0.0.1:${this.#ports.dns}/v1/domains`;
  }

  get #nameserver(): NameserverAddress {
    return { host: '127.0.0.1', port: this.#ports.nameserver };
  }

  #urlAs(role: string, password: string): string {
    const url = new URL(this.#databaseUrl);
    url.username = `zonewright_${role}`;
    url.password = password;
    return url.toString();
  }
}
