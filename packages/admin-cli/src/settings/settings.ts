import {
  KEY_SETTINGS,
  type Keyring,
  type KeySetting,
  type NamedKeyring,
  parseKeyring,
} from '@zonewright/database';
import {
  integer,
  list,
  optionalRedisUrl,
  optionalText,
  optionalUrl,
  postgresUrl,
  type Setting,
  type SettingsOf,
  type SettingsTree,
  text,
} from '@zonewright/service-kit';

/** Most commands need no key, so its absence is only told by those that do (Session.keyring). */
const encryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for secrets in the database, id:base64 pairs separated by commas; the first one encrypts.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

const transferEncryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('TRANSFER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for the secrets of peers and TSIG keys, as dns-api has them; encryption-key and doctor look at those.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

const signerEncryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('SIGNER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for the private keys of signed zones, as signer has them; set it for encryption-key alone.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

/** Settings that the operator's command reads from the environment. */
export const ADMIN_SETTINGS = {
  databaseUrl: postgresUrl('DATABASE_URL', {
    help: 'PostgreSQL; a login with the rights of zonewright_operator.',
  }),
  encryptionKeys,
  transferEncryptionKeys,
  signerEncryptionKeys,
  accessKeyPurgeDays: integer('ACCESS_KEY_PURGE_DAYS', {
    default: 30,
    help: 'After how many days access-key purge marks a deleted access key as purged.',
  }),
  bootstrap: {
    administratorPassword: optionalText('ADMINISTRATOR_PASSWORD', {
      secret: true,
      help: 'The password that bootstrap gives to the first administrator; unset, it generates and prints one.',
    }),
    demoPassword: optionalText('DEMO_PASSWORD', {
      secret: true,
      help: 'The password that bootstrap --demo gives to the user demo when it makes that user.',
    }),
    serviceAccessKey: optionalText('DNS_API_SERVICE_ACCESS_KEY', {
      help: 'The access key with which dns-api logs in; unset, bootstrap generates and prints one.',
    }),
    serviceSecretKey: optionalText('DNS_API_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'The secret key that belongs to DNS_API_SERVICE_ACCESS_KEY.',
    }),
    nameserverAccessKey: optionalText('NAMESERVER_SERVICE_ACCESS_KEY', {
      help: 'The access key with which nameservers relay updates; unset, bootstrap makes no user for them.',
    }),
    nameserverSecretKey: optionalText('NAMESERVER_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'The secret key that belongs to NAMESERVER_SERVICE_ACCESS_KEY.',
    }),
  },
  audit: {
    file: optionalText('ADMIN_AUDIT_FILE', {
      help: 'A file to which each command that changes something adds its audit line; unset: standard error, or in a terminal the file zonewright/audit.log in XDG_STATE_HOME (~/.local/state).',
    }),
    operator: optionalText('ADMIN_OPERATOR', {
      help: "Who is at work, for the audit line; unset: the operating system's user.",
    }),
  },
  doctor: {
    redisUrl: optionalRedisUrl('REDIS_URL', {
      help: 'Redis, for doctor to look at; unset: it does not.',
    }),
    redisKeyPrefix: text('REDIS_KEY_PREFIX', {
      default: 'zonewright:',
      help: 'What all keys in Redis begin with, as the services have it.',
    }),
    identityUrl: optionalUrl('IDENTITY_URL', ['http', 'https'], {
      help: 'Where doctor reaches identity-service, without a version; unset: where the catalog says.',
    }),
    dnsApiUrl: optionalUrl('DNS_API_URL', ['http', 'https'], {
      help: 'Where doctor reaches dns-api, without a version; unset: where the catalog says.',
    }),
    readyUrls: list('DOCTOR_READY_URLS', {
      default: [],
      help: 'URLs of operations ports, by commas, whose /readyz doctor asks.',
    }),
    nameservers: list('DOCTOR_NAMESERVERS', {
      default: [],
      help: 'Where doctor asks nameservers, NAME=HOST:PORT by commas; unset: where they say that they listen, or at their addresses.',
    }),
    databaseBytes: integer('DOCTOR_DATABASE_BYTES', {
      default: 50 * 1024 ** 3,
      minimum: 1,
      help: 'From which size of the database on disk on doctor warns, in bytes.',
    }),
    snapshotFolder: optionalText('NAMESERVER_SNAPSHOT_DIR', {
      help: 'The folder of a nameserver of this machine, for doctor to look at; unset: it does not.',
    }),
  },
} satisfies SettingsTree;

export type AdminSettings = SettingsOf<typeof ADMIN_SETTINGS>;

/** The encryption keys that are set. */
export function namedKeyrings(
  settings: Pick<
    AdminSettings,
    'encryptionKeys' | 'transferEncryptionKeys' | 'signerEncryptionKeys'
  >,
): readonly NamedKeyring[] {
  const keyrings: Readonly<Record<KeySetting, Keyring | undefined>> = {
    ENCRYPTION_KEYS: settings.encryptionKeys,
    TRANSFER_ENCRYPTION_KEYS: settings.transferEncryptionKeys,
    SIGNER_ENCRYPTION_KEYS: settings.signerEncryptionKeys,
  };
  return KEY_SETTINGS.flatMap((setting) => {
    const keyring = keyrings[setting];
    return keyring === undefined ? [] : [{ setting, keyring }];
  });
}
