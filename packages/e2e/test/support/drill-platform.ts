import { sendQuery, freePort, type NameserverAddress } from '@zonewright/testkit';
import { call } from './clients.js';
import { adminJson, type AdminResult, runAdmin, ServiceProcess } from './programs.js';

/** Passwords of each role's login, as in production. */
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
  /** Folder of the nameserver's snapshot. */
  readonly snapshotFolder: string;
}

/** identity-service, dns-api and one nameserver on any database. Their addresses do not change. */
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

  /** Sets the database for the next start. */
  set databaseUrl(url: string) {
    this.#databaseUrl = url;
  }

  /** Creates an installation in a migrated database. */
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

  /** Creates a tenant with a user, in a separate account domain. */
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
    // Started one after the other, so that stop() ends the first one if the second one does not start.
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
        // A small image for a test machine.
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

  /** Returns the response to a login with the tenant as scope. */
  async authenticate(credentials: object): Promise<Access> {
    const { body } = await call(`http://127.0.0.1:${this.#ports.identity}/v2.0/tokens`, {
      method: 'POST',
      body: { auth: { ...credentials, tenantName: TENANT } },
    });
    return (body as { access: Access }).access;
  }

  /** Returns the status of a request to dns-api with this token. */
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

  /** Returns the answer of the nameserver: an address, or the RCODE if there is none. */
  async resolve(name: string): Promise<string> {
    const { rcode, answers } = await sendQuery(this.#nameserver, name.replace(/\.$/, ''), 'A');
    const [answer] = answers;
    return answer?.type === 'A' ? answer.data : rcode;
  }

  /** Runs a command of the operator, whether or not it succeeds. */
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
