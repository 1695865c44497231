import { integer, optionalText, type SettingsTree, url } from '@zonewright/service-kit';

/** What `migrate` reads from the environment. */
export const MIGRATE_SETTINGS = {
  databaseUrl: url('DATABASE_URL', ['postgres', 'postgresql'], {
    help: 'PostgreSQL login that owns the schema and may create roles.',
  }),
  waitSeconds: integer('MIGRATE_WAIT_SECONDS', {
    default: 60,
    help: 'How long to wait for PostgreSQL to accept connections, in seconds.',
  }),
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
    operator: optionalText('OPERATOR_DATABASE_PASSWORD', {
      secret: true,
      help: 'When set, role zonewright_operator gets a login with this password.',
    }),
  },
} satisfies SettingsTree;
