import { freePort } from '@zonewright/service-kit';
import { DATABASE_ROLES, type DatabaseRole, withRole } from '@zonewright/database';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SupervisedProcess, type Restartable } from '../embedded/keep-running.js';
import type { Cleanup } from './cleanup.js';
import type { DataFolder } from './data-folder.js';
import type { Infrastructure } from './infrastructure.js';
import type { StartSettings } from '../settings/settings.js';
import { type Environment, passedOn, type ServiceName } from './passed-on.js';
import { awaitReadiness, ServiceProcess } from './service-process.js';

interface StartOptions {
  readonly settings: StartSettings;
  /** Environment of `npm start`. */
  readonly environment: Environment;
  readonly folder: DataFolder;
  readonly infrastructure: Infrastructure;
  readonly say: (line: string) => void;
  readonly cleanup: Cleanup;
}

interface ServicesOptions extends StartOptions {
  /** URLs of operations ports by the names of running services. */
  readonly operations: Map<string, string>;
}

interface ServiceDefinition {
  readonly name: ServiceName;
  /** Name of the instance, if several run one program. */
  readonly instance?: string;
  /** Role with which the service uses the database. Undefined if it does not use the database. */
  readonly role: DatabaseRole | undefined;
  readonly env: Readonly<Record<string, string>>;
}

const HOST = '127.0.0.1';
const FIRST_NAMESERVER = 'ns1-1';

/**
 * Starts identity-service, dns-api, signer, the nameservers and the console, each as the same process as in its
 * container.
 */
export async function startServices(given: StartOptions): Promise<void> {
  const options = { ...given, operations: new Map<string, string>() };
  const first = options.settings.ports.nameserver;
  const others = options.settings.nameserverCount - 1;
  // The ports are chosen before dns-api starts, since it queries them. Six consecutive ports are rarely free.
  const ports = [first, ...(await Promise.all(Array.from({ length: others }, freePort)))];
  const running: Restartable[] = [];
  const keep = (service: Restartable) => {
    running.push(service);
    // The service was starting when the user stopped the program.
    if (options.cleanup.hasBegun) options.cleanup.add(() => service.stop());
  };
  // All are stopped at once: Ctrl-C must end everything within five seconds, however many there are.
  options.cleanup.add(async () => {
    await Promise.all(running.map((service) => service.stop()));
  });
  const signerPort = await freePort();
  for (const definition of definitions(options, { ports, signerPort })) {
    keep(await start(options, definition));
  }
  // The other nameservers do the same work, so they start at the same time on several cores.
  const rest = ports.slice(1).map((port, index) => nameserver(options, port, `ns1-${index + 2}`));
  await Promise.all(rest.map(async (definition) => running.push(await start(options, definition))));
  await awaitZones(options);
}

/** Time limit for the nameservers to load their zones. */
const ZONES_READ_MS = 60_000;

/**
 * Waits until each nameserver has loaded its zones, so that they are available when the platform is reported as ready.
 */
async function awaitZones({ operations, say }: ServicesOptions): Promise<void> {
  const nameservers = [...operations].filter(([name]) => name.startsWith('nameserver'));
  await Promise.all(
    nameservers.map(async ([name, url]) => {
      if (await awaitReadiness(url, ZONES_READ_MS)) return;
      say(`${name} has not loaded all zones yet; see its log for the reason.`);
    }),
  );
}

async function start(
  options: ServicesOptions,
  definition: ServiceDefinition,
): Promise<Restartable> {
  const { name, instance, role, env } = definition;
  const fullName = instance === undefined ? name : `${name}-${instance}`;
  return await SupervisedProcess.start({
    name: fullName,
    start: async (onUnexpectedExit) => {
      const service = await ServiceProcess.start({
        name: fullName,
        program: mainProgram(`@zonewright/${name}`),
        env: {
          ...passedOn(name, options.environment),
          ...(role === undefined ? {} : databaseEnvironment(options, role)),
          ...env,
        },
        logFile: options.folder.logFile(fullName),
        onUnexpectedExit,
      });
      options.operations.set(fullName, service.operations);
      return service;
    },
    onNote: options.say,
  });
}

function definitions(
  { settings, folder, environment }: ServicesOptions,
  { ports, signerPort }: { readonly ports: readonly number[]; readonly signerPort: number },
): ServiceDefinition[] {
  const secrets = folder.readSecrets();
  return [
    {
      name: 'identity-service',
      role: DATABASE_ROLES.identityService,
      env: {
        IDENTITY_HOST: HOST,
        IDENTITY_PORT: String(settings.ports.identity),
        IDENTITY_OPERATIONS_PORT: environment['IDENTITY_OPERATIONS_PORT'] || '0',
        ENCRYPTION_KEYS: secrets.encryptionKeys,
        ...trustInConsole(settings, environment),
      },
    },
    {
      name: 'dns-api',
      role: DATABASE_ROLES.dnsApi,
      env: {
        DNS_API_HOST: HOST,
        DNS_API_PORT: String(settings.ports.dns),
        DNS_API_OPERATIONS_PORT: environment['DNS_API_OPERATIONS_PORT'] || '0',
        IDENTITY_URL: `http://${HOST}:${settings.ports.identity}`,
        DNS_API_CHECK_NAMESERVERS: nameserverAddresses(ports),
        TRANSFER_ENCRYPTION_KEYS: secrets.transferEncryptionKeys,
        SIGNER_URL: `http://${HOST}:${signerPort}`,
        SIGNER_SECRET: secrets.signerSecret,
        DNS_API_SERVICE_ACCESS_KEY: secrets.serviceAccessKey ?? '',
        DNS_API_SERVICE_SECRET_KEY: secrets.serviceSecretKey ?? '',
      },
    },
    {
      name: 'signer',
      role: DATABASE_ROLES.signer,
      env: {
        SIGNER_HOST: HOST,
        SIGNER_PORT: String(signerPort),
        SIGNER_OPERATIONS_PORT: environment['SIGNER_OPERATIONS_PORT'] || '0',
        SIGNER_ENCRYPTION_KEYS: secrets.signerEncryptionKeys,
        SIGNER_SECRET: secrets.signerSecret,
      },
    },
    nameserver({ settings, folder }, settings.ports.nameserver, FIRST_NAMESERVER, {
      NAMESERVER_OPERATIONS_PORT: environment['NAMESERVER_OPERATIONS_PORT'] || '0',
    }),
    ...(settings.hasConsole
      ? [
          {
            name: 'console-service' as const,
            role: undefined,
            env: {
              CONSOLE_HOST: HOST,
              CONSOLE_PORT: String(settings.ports.console),
              CONSOLE_OPERATIONS_PORT: environment['CONSOLE_OPERATIONS_PORT'] || '0',
              CONSOLE_SESSION_KEYS: secrets.consoleSessionKeys,
              IDENTITY_URL: `http://${HOST}:${settings.ports.identity}`,
              CONSOLE_DNS_API_URL: `http://${HOST}:${settings.ports.dns}`,
            },
          },
        ]
      : []),
  ];
}

/**
 * Makes wrong passwords at the console count for the network of the browser, which console-service sends. If
 * TRUST_PROXY is set, there are also proxies in front of identity-service.
 */
function trustInConsole({ hasConsole }: StartSettings, environment: Environment) {
  const isSet = (environment['TRUST_PROXY'] || '0') !== '0';
  if (!hasConsole || isSet) return {};
  return { TRUST_PROXY: '1', TRUST_PROXY_ADDRESSES: `${HOST}/32` };
}

/** Describes a nameserver. All but the first have the same settings, except for threads and ports. */
function nameserver(
  { settings, folder }: Pick<ServicesOptions, 'settings' | 'folder'>,
  port: number,
  nameserverName: string,
  ofTheFirst?: Readonly<Record<string, string>>,
): ServiceDefinition {
  const secrets = folder.readSecrets();
  return {
    name: 'nameserver',
    ...(ofTheFirst === undefined ? { instance: nameserverName } : {}),
    role: DATABASE_ROLES.nameserver,
    env: {
      TRANSFER_ENCRYPTION_KEYS: secrets.transferEncryptionKeys,
      NAMESERVER_HOST: HOST,
      NAMESERVER_PORT: String(port),
      NAMESERVER_NAME: nameserverName,
      NAMESERVER_SNAPSHOT_DIR: folder.snapshotFolder(nameserverName),
      NAMESERVER_UPDATE_URL: `http://${HOST}:${settings.ports.dns}`,
      IDENTITY_URL: `http://${HOST}:${settings.ports.identity}`,
      NAMESERVER_SERVICE_ACCESS_KEY: secrets.nameserverAccessKey ?? '',
      NAMESERVER_SERVICE_SECRET_KEY: secrets.nameserverSecretKey ?? '',
      ...(ofTheFirst ?? { NAMESERVER_OPERATIONS_PORT: '0', NAMESERVER_UDP_WORKERS: '1' }),
    },
  };
}

/**
 * Returns the addresses of six nameservers. The first replaces those that do not run, since they listen on ports other
 * than 53.
 */
function nameserverAddresses(ports: readonly number[]): string {
  return [0, 1, 2, 3, 4, 5]
    .map((index) => `ns1-${index + 1}=${HOST}:${ports[index] ?? ports[0] ?? 0}`)
    .join(',');
}

function databaseEnvironment(
  { infrastructure }: ServicesOptions,
  role: DatabaseRole,
): Record<string, string> {
  const { databaseUrl, redisUrl } = infrastructure;
  return {
    DATABASE_URL: withRole(databaseUrl, role),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
}

/** Returns the compiled main.js in a package, which its container also runs. */
function mainProgram(packageName: string): string {
  return join(dirname(fileURLToPath(import.meta.resolve(packageName))), 'main.js');
}
