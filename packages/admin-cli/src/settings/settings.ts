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

/** Most commands need no key, so only those that do report its absence (Session.keyring). */
const encryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for secrets in the database, id:base64,...; the first encrypts.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

const transferEncryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('TRANSFER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for TSIG secrets, as in dns-api, for encryption-key and doctor.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

const signerEncryptionKeys: Setting<Keyring | undefined> = {
  ...optionalText('SIGNER_ENCRYPTION_KEYS', {
    secret: true,
    help: 'Keys for private keys, as in the signer, only for encryption-key.',
  }),
  fallback: { value: undefined },
  parse: parseKeyring,
};

/** Environment variables of the operator's command. */
export const ADMIN_SETTINGS = {
  databaseUrl: postgresUrl('DATABASE_URL', {
    help: 'PostgreSQL login with role zonewright_operator.',
  }),
  encryptionKeys,
  transferEncryptionKeys,
  signerEncryptionKeys,
  accessKeyPurgeDays: integer('ACCESS_KEY_PURGE_DAYS', {
    default: 30,
    help: 'Days until `access-key purge` purges a deleted access key.',
  }),
  bootstrap: {
    administratorPassword: optionalText('ADMINISTRATOR_PASSWORD', {
      secret: true,
      help: 'Password of the first administrator, for bootstrap. Generated if not set.',
    }),
    demoPassword: optionalText('DEMO_PASSWORD', {
      secret: true,
      help: 'Password of the demo user, for bootstrap --demo.',
    }),
    demoAccessKey: optionalText('DEMO_ACCESS_KEY', {
      help: 'Access key of the demo user, for bootstrap --demo. Not created if not set.',
    }),
    demoSecretKey: optionalText('DEMO_SECRET_KEY', {
      secret: true,
      help: 'Secret key of this access key.',
    }),
    serviceAccessKey: optionalText('DNS_API_SERVICE_ACCESS_KEY', {
      help: 'Access key of dns-api, for bootstrap. Generated if not set.',
    }),
    serviceSecretKey: optionalText('DNS_API_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key of this access key.',
    }),
    nameserverAccessKey: optionalText('NAMESERVER_SERVICE_ACCESS_KEY', {
      help: 'Access key of the nameservers, for bootstrap. If not set, no user is created for them.',
    }),
    nameserverSecretKey: optionalText('NAMESERVER_SERVICE_SECRET_KEY', {
      secret: true,
      help: 'Secret key of this access key.',
    }),
  },
  audit: {
    file: optionalText('ADMIN_AUDIT_FILE', {
      help: 'File for audit lines. If not set: standard error, or in a terminal zonewright/audit.log in XDG_STATE_HOME.',
    }),
    operator: optionalText('ADMIN_OPERATOR', {
      help: "Operator's name in audit lines. The default is the system user.",
    }),
  },
  doctor: {
    redisUrl: optionalRedisUrl('REDIS_URL', {
      help: 'Redis URL for doctor. Redis is not checked if not set.',
    }),
    redisKeyPrefix: text('REDIS_KEY_PREFIX', {
      default: 'zonewright:',
      help: 'Prefix of Redis keys and channels.',
    }),
    identityUrl: optionalUrl('IDENTITY_URL', ['http', 'https'], {
      help: 'Base URL of identity-service for doctor, without a version. The default is the URL in the catalog.',
    }),
    dnsApiUrl: optionalUrl('DNS_API_URL', ['http', 'https'], {
      help: 'Base URL of dns-api for doctor, without a version. The default is the URL in the catalog.',
    }),
    readyUrls: list('DOCTOR_READY_URLS', {
      default: [],
      help: 'URLs of operations ports, separated by commas. The doctor command reads /readyz of each.',
    }),
    nameservers: list('DOCTOR_NAMESERVERS', {
      default: [],
      help: 'Nameservers for doctor, NAME=HOST:PORT,... The default is their reported or listed addresses.',
    }),
    databaseBytes: integer('DOCTOR_DATABASE_BYTES', {
      default: 50 * 1024 ** 3,
      minimum: 1,
      help: 'Database size above which doctor warns.',
    }),
    snapshotFolder: optionalText('NAMESERVER_SNAPSHOT_DIR', {
      help: 'Snapshot folder of a nameserver on this machine, for doctor.',
    }),
  },
} satisfies SettingsTree;

export type AdminSettings = SettingsOf<typeof ADMIN_SETTINGS>;

/** Returns the configured encryption keys. */
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
