import { integer, optionalText, postgresUrl, type SettingsTree } from '@zonewright/service-kit';
import { SERVICE_SETTINGS } from './service-settings/service-settings.js';

/** The settings that `migrate` reads from the environment. */
export const MIGRATE_SETTINGS = {
  databaseUrl: postgresUrl('DATABASE_URL', {
    help: 'PostgreSQL login that owns the schema and may create roles.',
  }),
  waitSeconds: integer('MIGRATE_WAIT_SECONDS', {
    default: 60,
    help: 'Time to wait for PostgreSQL.',
  }),
  first: SERVICE_SETTINGS,
  connectionLimits: {
    identityService: integer('IDENTITY_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Maximum connections of role zonewright_identity; 0: no limit.',
    }),
    dnsApi: integer('DNS_API_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Maximum connections of role zonewright_dns_api; 0: no limit.',
    }),
    nameserver: integer('NAMESERVER_DATABASE_CONNECTION_LIMIT', {
      default: 50,
      maximum: 100_000,
      help: 'Maximum connections of role zonewright_nameserver, three per process; 0: no limit.',
    }),
    signer: integer('SIGNER_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Maximum connections of role zonewright_signer; 0: no limit.',
    }),
  },
  passwords: {
    identityService: optionalText('IDENTITY_DATABASE_PASSWORD', {
      secret: true,
      help: 'Password of zonewright_identity. The role is not changed if not set.',
    }),
    dnsApi: optionalText('DNS_API_DATABASE_PASSWORD', {
      secret: true,
      help: 'Password of zonewright_dns_api. The role is not changed if not set.',
    }),
    nameserver: optionalText('NAMESERVER_DATABASE_PASSWORD', {
      secret: true,
      help: 'Password of zonewright_nameserver. The role is not changed if not set.',
    }),
    signer: optionalText('SIGNER_DATABASE_PASSWORD', {
      secret: true,
      help: 'Password of zonewright_signer. The role is not changed if not set.',
    }),
    operator: optionalText('OPERATOR_DATABASE_PASSWORD', {
      secret: true,
      help: 'Password of zonewright_operator. The role is not changed if not set.',
    }),
  },
} satisfies SettingsTree;
