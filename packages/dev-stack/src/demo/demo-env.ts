import { DATABASE_ROLES, withRole } from '@zonewright/database';
import type { DataFolder } from '../launcher/data-folder.js';
import type { StartSettings } from '../settings/settings.js';

/** User of the demo tenant, with its credentials. */
export interface Demo {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly username: string;
  readonly password: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Administrator of all account domains. */
  readonly administrator: { readonly username: string; readonly password: string };
}

/** Variables of demo.env, which the pasted commands use. */
export type DemoEnvironment = Readonly<Record<`ZONEWRIGHT_${string}`, string>>;

const HOST = '127.0.0.1';

/** Returns the addresses and the credentials of the demo. */
export function demoEnvironment({ ports }: StartSettings, demo: Demo): DemoEnvironment {
  return {
    ZONEWRIGHT_IDENTITY_URL: `http://${HOST}:${ports.identity}`,
    ZONEWRIGHT_DNS_URL: `http://${HOST}:${ports.dns}`,
    ZONEWRIGHT_NAMESERVER: `${HOST}:${ports.nameserver}`,
    ZONEWRIGHT_TENANT_ID: demo.tenantId,
    ZONEWRIGHT_TENANT_NAME: demo.tenantName,
    ZONEWRIGHT_USERNAME: demo.username,
    ZONEWRIGHT_PASSWORD: demo.password,
    ZONEWRIGHT_ACCESS_KEY: demo.accessKey,
    ZONEWRIGHT_SECRET_KEY: demo.secretKey,
  };
}

/** Writes demo.env for the `.` command of a shell and for `node --env-file`. No value needs quotes. */
export function writeDemoEnvironment(folder: DataFolder, facts: DemoEnvironment): void {
  const lines = Object.entries(facts).map(([name, value]) => `${name}=${value}\n`);
  folder.writePrivate('demo.env', lines.join(''));
}

interface OperatorFacts {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly encryptionKeys: string;
  readonly transferEncryptionKeys?: string | undefined;
  readonly serviceAccessKey?: string;
  readonly serviceSecretKey?: string;
}

/** Writes operator.env: the settings that `npm run admin` needs to manage this installation. */
export function writeOperatorEnvironment(folder: DataFolder, facts: OperatorFacts): void {
  const variables = {
    DATABASE_URL: withRole(facts.databaseUrl, DATABASE_ROLES.operator),
    REDIS_URL: facts.redisUrl,
    ENCRYPTION_KEYS: facts.encryptionKeys,
    TRANSFER_ENCRYPTION_KEYS: facts.transferEncryptionKeys,
    DNS_API_SERVICE_ACCESS_KEY: facts.serviceAccessKey,
    DNS_API_SERVICE_SECRET_KEY: facts.serviceSecretKey,
  };
  const lines = Object.entries(variables)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value ?? ''}\n`);
  folder.writePrivate('operator.env', lines.join(''));
}
