import { DEMO_NAME, ensureDemo, generatePassword, grantRole } from '@zonewright/accounts';
import { bootstrap } from '@zonewright/admin-cli';
import {
  ACCESS_KEY_LENGTH,
  type Database,
  errorCode,
  generateAccessKeyId,
  generateSecretKey,
  type Keyring,
  migrate,
  openDatabase,
  parseKeyring,
  type ServiceSettings,
} from '@zonewright/database';
import type { DataFolder } from '../launcher/data-folder.js';
import type { StartSettings } from '../settings/settings.js';
import type { Secrets } from '../launcher/secrets.js';
import type { Demo } from './demo-env.js';

interface PrepareOptions {
  readonly settings: StartSettings;
  readonly folder: DataFolder;
  readonly databaseUrl: string;
}

const HOST = '127.0.0.1';
const ADMINISTRATOR_NAME = 'admin';
const NAMESERVER_DOMAIN = 'zonewright.example.';

/**
 * Migrates the schema and creates the objects of an installation and the demo tenant with its user. A second run adds
 * missing objects. Secrets are stored before they are used, so an interrupted start does not lose any.
 */
export async function prepareDatabase(options: PrepareOptions): Promise<Demo> {
  const { folder, databaseUrl } = options;
  const isFirstStart = folder.readSecrets().demoPassword === undefined;
  const secrets = completeSecrets(folder);
  const keyring = parseKeyring(secrets.encryptionKeys);
  const db = openDatabase({
    url: databaseUrl,
    applicationName: 'zonewright-start',
    maxConnections: 3,
    statementTimeoutMs: 0,
  });
  try {
    await migrateOrExplain(db, options.settings.first);
    await bootstrapInstallation(db, keyring, { settings: options.settings, secrets });
    return await prepareDemo(db, keyring, { secrets, isFirstStart });
  } finally {
    await db.destroy();
  }
}

async function migrateOrExplain(db: Database, first: ServiceSettings): Promise<void> {
  try {
    await migrate(db, { first });
  } catch (error) {
    if (errorCode(error) !== '42501') throw error;
    throw new Error(
      `The user of DATABASE_URL cannot prepare the database: it must own the database and have CREATEROLE (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

type CompleteSecrets = Required<Secrets>;

function completeSecrets(folder: DataFolder): CompleteSecrets {
  const secrets: CompleteSecrets = {
    administratorPassword: generatePassword(),
    serviceAccessKey: generateAccessKeyId(),
    serviceSecretKey: generateSecretKey(ACCESS_KEY_LENGTH.default),
    nameserverAccessKey: generateAccessKeyId(),
    nameserverSecretKey: generateSecretKey(ACCESS_KEY_LENGTH.default),
    demoPassword: generatePassword(),
    demoAccessKey: generateAccessKeyId(),
    demoSecretKey: generateSecretKey(ACCESS_KEY_LENGTH.default),
    ...folder.readSecrets(),
  };
  folder.writeSecrets(secrets);
  return secrets;
}

async function bootstrapInstallation(
  db: Database,
  keyring: Keyring,
  { settings, secrets }: { settings: StartSettings; secrets: CompleteSecrets },
): Promise<void> {
  await bootstrap(db, keyring, {
    administratorName: ADMINISTRATOR_NAME,
    administratorPassword: secrets.administratorPassword,
    region: 'US-West',
    identityUrl: `http://${HOST}:${settings.ports.identity}`,
    dnsUrl: `http://${HOST}:${settings.ports.dns}`,
    nameserverDomain: NAMESERVER_DOMAIN,
    nameserverEmail: `hostmaster@${NAMESERVER_DOMAIN.slice(0, -1)}`,
    nameservers: [1, 2, 3, 4, 5, 6].map((number) => ({ name: `ns1-${number}`, ipv4: HOST })),
    moveEndpoints: true,
    serviceAccessKey: { id: secrets.serviceAccessKey, secretKey: secrets.serviceSecretKey },
    nameserverAccessKey: {
      id: secrets.nameserverAccessKey,
      secretKey: secrets.nameserverSecretKey,
    },
  });
}

async function prepareDemo(
  db: Database,
  keyring: Keyring,
  { secrets, isFirstStart }: { secrets: CompleteSecrets; isFirstStart: boolean },
): Promise<Demo> {
  const { demoPassword: password, demoAccessKey: accessKey, demoSecretKey: secretKey } = secrets;
  // On a first start, DATABASE_URL may name a database that was prepared with another folder, whose secrets are lost.
  const tenant = await ensureDemo(db, keyring, {
    password,
    replacesPassword: isFirstStart,
    accessKey: { id: accessKey, secretKey },
  });
  // Grants all roles on all account domains and on the only project, since the user who starts the platform owns it.
  await grantRole(db, { user: ADMINISTRATOR_NAME, role: 'identity-operator' });
  for (const role of ['dns-admin', 'dns-operator'])
    await grantRole(db, { user: ADMINISTRATOR_NAME, role, tenant: tenant.id });
  return {
    administrator: { username: ADMINISTRATOR_NAME, password: secrets.administratorPassword },
    tenantId: tenant.id,
    tenantName: tenant.name,
    username: DEMO_NAME,
    password,
    accessKey,
    secretKey,
  };
}
