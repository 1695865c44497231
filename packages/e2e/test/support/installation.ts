import { databaseUrl } from '@zonewright/database';
import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { PROJECT } from './running-platform.js';

type Environment = Readonly<Record<string, string>>;
type Program = 'identity-service' | 'dns-api' | 'nameserver';

const PROGRAM_TIMEOUT_MS = 120_000;
/** Password of all logins, and of the administrator `admin`. */
export const PASSWORD = 'of-a-test';
const SERVICE_KEY = { id: 'SERVICEKEYOFDNSAPI00', secret: randomBytes(30).toString('base64url') };
const ADDRESSES = ['1', '2', '3', '4', '5', '6'].map((n) => `--nameserver=ns1-${n}=192.0.2.${n}`);

/** Service that runs as a separate process, as in production. */
export interface RunningService {
  /** Addresses `http`, `operations` and `dns`, if the service has them. */
  readonly addresses: Environment;
  readonly process: ChildProcess;
}

/**
 * Installation as an operator creates it on an existing PostgreSQL server: a login for each program, `migrate`,
 * `bootstrap`, and then any number of processes of each service.
 */
export class Installation {
  readonly #name = `zonewright_${randomBytes(4).toString('hex')}`;
  readonly #ownerUrl: string;
  readonly #encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  readonly #services: ChildProcess[] = [];
  readonly #release: string;

  /**
   * @param ownerUrl login that may create databases and roles
   * @param release project folder whose services are started; everything else comes from this project
   */
  constructor(ownerUrl: string, release = PROJECT) {
    this.#ownerUrl = ownerUrl;
    this.#release = release;
  }

  get isOtherRelease(): boolean {
    return this.#release !== PROJECT;
  }

  async prepare(): Promise<void> {
    await this.#createDatabase();
    await this.migrate();
    this.bootstrap();
  }

  async #createDatabase(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#ownerUrl });
    await client.connect();
    await client.query(`create database ${this.#name}`);
    await client.end();
  }

  /** Completes a schema to an installation. */
  bootstrap(): void {
    this.operate(
      ...['bootstrap', '--identity-url=http://127.0.0.1:35357', '--dns-url=http://127.0.0.1:9001'],
      ...['--nameserver-domain=ns.zonewright.test', ...ADDRESSES],
    );
  }

  /**
   * Migrates the schema to the newest version. It may wait for a lock of a service in this process, which continues in
   * the meantime.
   */
  async migrate(): Promise<void> {
    await promisify(execFile)(process.execPath, [programFile('database')], {
      env: {
        DATABASE_URL: this.databaseUrl,
        IDENTITY_DATABASE_PASSWORD: PASSWORD,
        DNS_API_DATABASE_PASSWORD: PASSWORD,
        NAMESERVER_DATABASE_PASSWORD: PASSWORD,
        OPERATOR_DATABASE_PASSWORD: PASSWORD,
      },
    });
  }

  /** URL of the owner of the schema. */
  get databaseUrl(): string {
    return databaseUrl(this.#ownerUrl, this.#name);
  }

  /** Returns the URL of a program's login. If a URL is given, it is on another server, such as a standby. */
  loginUrl(
    role: 'identity' | 'dns_api' | 'nameserver' | 'operator',
    server = this.#ownerUrl,
  ): string {
    const url = new URL(databaseUrl(server, this.#name));
    url.username = `zonewright_${role}`;
    url.password = PASSWORD;
    return url.toString();
  }

  /** Runs admin-cli, which must succeed. */
  operate(...args: string[]): void {
    runProgram('admin-cli', args, {
      DATABASE_URL: this.loginUrl('operator'),
      ENCRYPTION_KEYS: this.#encryptionKeys,
      ADMINISTRATOR_PASSWORD: PASSWORD,
      DNS_API_SERVICE_ACCESS_KEY: SERVICE_KEY.id,
      DNS_API_SERVICE_SECRET_KEY: SERVICE_KEY.secret,
    });
  }

  /**
   * Creates a tenant with the DNS service and a user of the same name, which is also the password. @param account
   * options of the account
   */
  addTenant(name: string, account: readonly string[] = []): void {
    this.operate('tenant', 'create', name, ...account);
    runProgram(
      'admin-cli',
      ['user', 'create', name, '--password-stdin', '--allow-weak-password', ...account],
      { DATABASE_URL: this.loginUrl('operator'), ENCRYPTION_KEYS: this.#encryptionKeys },
      name,
    );
    this.operate('role', 'grant', 'member', name, '--tenant', name);
    this.operate('role', 'grant', 'dns-admin', name, '--tenant', name);
    this.operate('service', 'activate', 'DNS', name);
  }

  /** @param release folder of another release than that of the installation */
  startIdentity(env: Environment, release = this.#release): Promise<RunningService> {
    return this.#start('identity-service', { ...this.identityEnvironment(), ...env }, release);
  }

  startDnsApi(env: Environment): Promise<RunningService> {
    return this.#start('dns-api', { ...this.dnsApiEnvironment(), ...env });
  }

  startNameserver(name: string, env: Environment = {}): Promise<RunningService> {
    return this.#start('nameserver', { ...this.nameserverEnvironment(name), ...env });
  }

  identityEnvironment(): Environment {
    return {
      DATABASE_URL: this.loginUrl('identity'),
      ENCRYPTION_KEYS: this.#encryptionKeys,
      IDENTITY_DATABASE_CONNECTIONS: '2',
      IDENTITY_HOST: '127.0.0.1',
      IDENTITY_PORT: '0',
      IDENTITY_OPERATIONS_PORT: '0',
    };
  }

  dnsApiEnvironment(): Environment {
    return {
      DATABASE_URL: this.loginUrl('dns_api'),
      DNS_API_DATABASE_CONNECTIONS: '2',
      DNS_API_SERVICE_ACCESS_KEY: SERVICE_KEY.id,
      DNS_API_SERVICE_SECRET_KEY: SERVICE_KEY.secret,
      DNS_API_HOST: '127.0.0.1',
      DNS_API_PORT: '0',
      DNS_API_OPERATIONS_PORT: '0',
    };
  }

  nameserverEnvironment(name: string): Environment {
    return {
      DATABASE_URL: this.loginUrl('nameserver'),
      NAMESERVER_NAME: name,
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_PORT: '0',
      NAMESERVER_OPERATIONS_PORT: '0',
      NAMESERVER_UDP_WORKERS: '1',
      NAMESERVER_IMAGE_BYTES: String(64 * 2 ** 20),
    };
  }

  async stop(): Promise<void> {
    const running = this.#services.filter((child) => child.exitCode === null && child.connected);
    await Promise.all(
      running.map(async (child) => {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }),
    );
  }

  async #start(
    program: Program,
    env: Environment,
    release = this.#release,
  ): Promise<RunningService> {
    const child = fork(join(release, 'packages', program, 'dist/main.js'), {
      env: { LOG_LEVEL: 'warn', ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#services.push(child);
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const ready = once(child, 'message') as Promise<[{ addresses: Environment }]>;
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${program} ended: ${complaint}`);
    });
    ended.catch(() => undefined);
    const [{ addresses }] = await Promise.race([ready, ended]);
    return { addresses, process: child };
  }
}

function programFile(name: string): string {
  return join(PROJECT, 'packages', name, 'dist/main.js');
}

function runProgram(name: string, args: readonly string[], env: Environment, input = ''): void {
  const { status, stderr } = spawnSync(process.execPath, [programFile(name), ...args], {
    encoding: 'utf8',
    env,
    input,
    // The time limit of a test does not end programs of this process.
    timeout: PROGRAM_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`${name} ${args.join(' ')} failed: ${stderr}`);
}
