import { SERVICE_SETTINGS } from '@zonewright/database';
import {
  flag,
  integer,
  optionalPostgresUrl,
  optionalRedisUrl,
  port,
  type SettingsOf,
  type SettingsTree,
  text,
} from '@zonewright/service-kit';

/** Settings that `npm start` reads from the environment. */
export const START_SETTINGS = {
  ports: {
    identity: port('ZONEWRIGHT_IDENTITY_PORT', {
      default: 35357,
      help: 'Port of the identity service on 127.0.0.1; 0 here and below: any free port.',
    }),
    dns: port('ZONEWRIGHT_DNS_PORT', { default: 9001, help: 'Port of the DNS API on 127.0.0.1.' }),
    nameserver: port('ZONEWRIGHT_NAMESERVER_PORT', {
      default: 5300,
      help: 'Port of nameserver ns1-1 on 127.0.0.1, UDP and TCP.',
    }),
    console: port('ZONEWRIGHT_CONSOLE_PORT', {
      default: 8080,
      help: 'Port of the console on 127.0.0.1.',
    }),
  },
  hasConsole: flag('ZONEWRIGHT_CONSOLE', {
    default: true,
    help: 'Whether the console runs.',
  }),
  nameserverCount: integer('ZONEWRIGHT_NAMESERVER_COUNT', {
    default: 6,
    minimum: 1,
    maximum: 6,
    help: 'Number of nameservers to run, at most six; those after ns1-1 use free ports.',
  }),
  dataFolder: text('ZONEWRIGHT_DATA_DIR', {
    default: '.zonewright',
    help: 'Folder for the data, relative to the project.',
  }),
  databaseUrl: optionalPostgresUrl('DATABASE_URL', {
    help: 'PostgreSQL to use instead of the embedded one; the user must be able to create roles.',
  }),
  redisUrl: optionalRedisUrl('REDIS_URL', {
    help: 'Redis to use instead of a private one.',
  }),
  first: SERVICE_SETTINGS,
} satisfies SettingsTree;

export type StartSettings = SettingsOf<typeof START_SETTINGS>;
