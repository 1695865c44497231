import { DATABASE_ROLES, type DatabaseRole, withRole } from '@zonewright/database';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KeptRunning } from '../embedded/keep-running.js';
import type { Cleanup } from './cleanup.js';
import type { DataFolder } from './data-folder.js';
import type { Infrastructure } from './infrastructure.js';
import type { StartSettings } from '../settings/settings.js';
import { type Environment, passedOn, type ServiceName } from './passed-on.js';
import { ServiceProcess } from './service-process.js';

interface ServicesOptions {
  readonly settings: StartSettings;
  /** In which `npm start` was called. */
  readonly environment: Environment;
  readonly folder: DataFolder;
  readonly infrastructure: Infrastructure;
  readonly say: (line: string) => void;
  readonly cleanup: Cleanup;
}

interface ServiceDefinition {
  readonly name: ServiceName;
  readonly role: DatabaseRole;
  readonly env: Readonly<Record<string, string>>;
}

const HOST = '127.0.0.1';

/** The name under which the one nameserver of a laptop reports itself. */
const NAMESERVER_NAME = 'ns1-1';

/** Starts identity-service, dns-api and one nameserver, each as the process that its container runs. */
export async function startServices(options: ServicesOptions): Promise<void> {
  for (const definition of definitions(options)) {
    const kept = await KeptRunning.start({
      name: definition.name,
      start: (onUnexpectedExit) =>
        ServiceProcess.start({
          name: definition.name,
          program: mainProgram(`@zonewright/${definition.name}`),
          env: {
            ...passedOn(definition.name, options.environment),
            ...commonEnvironment(options, definition.role),
            ...definition.env,
          },
          logFile: options.folder.logFile(definition.name),
          onUnexpectedExit,
        }),
      onNote: options.say,
    });
    options.cleanup.add(() => kept.stop());
  }
}

function definitions({ settings, folder, environment }: ServicesOptions): ServiceDefinition[] {
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
        DNS_API_CHECK_NAMESERVERS: nameserverAddresses(settings.ports.nameserver),
        TRANSFER_ENCRYPTION_KEYS: secrets.transferEncryptionKeys,
        DNS_API_SERVICE_ACCESS_KEY: secrets.serviceAccessKey ?? '',
        DNS_API_SERVICE_SECRET_KEY: secrets.serviceSecretKey ?? '',
      },
    },
    {
      name: 'nameserver',
      role: DATABASE_ROLES.nameserver,
      env: {
        TRANSFER_ENCRYPTION_KEYS: secrets.transferEncryptionKeys,
        NAMESERVER_HOST: HOST,
        NAMESERVER_PORT: String(settings.ports.nameserver),
        NAMESERVER_OPERATIONS_PORT: environment['NAMESERVER_OPERATIONS_PORT'] || '0',
        NAMESERVER_NAME,
        NAMESERVER_UPDATE_URL: `http://${HOST}:${settings.ports.dns}`,
        IDENTITY_URL: `http://${HOST}:${settings.ports.identity}`,
        NAMESERVER_SERVICE_ACCESS_KEY: secrets.nameserverAccessKey ?? '',
        NAMESERVER_SERVICE_SECRET_KEY: secrets.nameserverSecretKey ?? '',
      },
    },
  ];
}

/** All six names stand for the one nameserver, which listens elsewhere than on port 53. */
function nameserverAddresses(port: number): string {
  return [1, 2, 3, 4, 5, 6].map((number) => `ns1-${number}=${HOST}:${port}`).join(',');
}

function commonEnvironment(
  { infrastructure }: ServicesOptions,
  role: DatabaseRole,
): Record<string, string> {
  const { databaseUrl, redisUrl } = infrastructure;
  return {
    DATABASE_URL: withRole(databaseUrl, role),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
}

/** The compiled main.js beside a package's entry: the same file that its container runs. */
function mainProgram(packageName: string): string {
  return join(dirname(fileURLToPath(import.meta.resolve(packageName))), 'main.js');
}
