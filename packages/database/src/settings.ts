import { integer, optionalText, postgresUrl, type SettingsTree } from '@zonewright/service-kit';
import { SERVICE_SETTINGS } from './service-settings/service-settings.js';

/** Settings that `migrate` reads from the environment. */
export const MIGRATE_SETTINGS = {
  databaseUrl: postgresUrl('DATABASE_URL', {
    help: 'PostgreSQL login that owns the schema and may create roles.',
  }),
  waitSeconds: integer('MIGRATE_WAIT_SECONDS', {
    default: 60,
    help: 'How long to wait for PostgreSQL to accept connections, in seconds.',
  }),
  first: SERVICE_SETTINGS,
  connectionLimits: {
    identityService: integer('IDENTITY_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Connections that the login of role zonewright_identity may have in all; 0: as many as there are.',
    }),
    dnsApi: integer('DNS_API_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Connections that the login of role zonewright_dns_api may have in all; 0: as many as there are.',
    }),
    nameserver: integer('NAMESERVER_DATABASE_CONNECTION_LIMIT', {
      default: 50,
      maximum: 100_000,
      help: 'Connections that the login of role zonewright_nameserver may have in all, three for each process; 0: as many as there are.',
    }),
    signer: integer('SIGNER_DATABASE_CONNECTION_LIMIT', {
      default: 0,
      maximum: 100_000,
      help: 'Connections that the login of role zonewright_signer may have in all; 0: as many as there are.',
    }),
  },
  passwords: {
    identityService: optionalText('IDENTITY_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_identity gets a login with this password.',
    }),
    dnsApi: optionalText('DNS_API_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_dns_api gets a login with this password.',
    }),
    nameserver: optionalText('NAMESERVER_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_nameserver gets a login with this password.',
    }),
    signer: optionalText('SIGNER_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_signer gets a login with this password.',
    }),
    operator: optionalText('OPERATOR_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_operator gets a login with this password.',
    }),
  },
} satisfies SettingsTree;
