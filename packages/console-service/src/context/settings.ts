import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiSettings } from '@zonewright/http-api';
import {
  integer,
  type Keyring,
  LOG_LEVELS,
  type LogLevel,
  oneOf,
  optionalText,
  optionalUrl,
  parseKeyring,
  port,
  type Setting,
  type SettingsOf,
  type SettingsTree,
  text,
  TRACING_SETTINGS,
  url,
} from '@zonewright/service-kit';

const sessionKeys: Setting<Keyring> = {
  ...text('CONSOLE_SESSION_KEYS', {
    secret: true,
    help: 'Keys for session cookies, id:base64,..., the same in all replicas; the first encrypts.',
  }),
  fallback: undefined,
  parse: parseKeyring,
};

// The service is used only by its own pages, so no other origin is ever allowed.
const { corsOrigins: _none, ...served } = apiSettings('CONSOLE', 256);

/** All settings of this service. docs/reference/configuration.md is checked against them. */
export const CONSOLE_SETTINGS = {
  logLevel: oneOf<LogLevel>('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    help: 'Minimum level of log lines.',
  }),
  http: {
    host: text('CONSOLE_HOST', { default: '0.0.0.0', help: 'Address to listen on.' }),
    port: port('CONSOLE_PORT', {
      default: 8080,
      help: 'TCP port of the console; 0: any free port.',
    }),
    operationsPort: port('CONSOLE_OPERATIONS_PORT', {
      default: 9105,
      help: 'TCP port of /healthz, /readyz and /metrics; 0: any free port.',
    }),
    publicUrl: optionalUrl('CONSOLE_PUBLIC_URL', ['http', 'https'], {
      help: 'Base of links in responses. The default is the Host header of the request.',
    }),
    trustedProxies: integer('TRUST_PROXY', {
      default: 0,
      maximum: 16,
      help: 'Number of reverse proxies in front; 0 ignores X-Forwarded headers.',
    }),
    maxBodyBytes: integer('CONSOLE_MAX_BODY_BYTES', {
      default: 8 * 1024 * 1024,
      minimum: 1024,
      help: 'Largest request body.',
    }),
    requestTimeoutSeconds: integer('CONSOLE_REQUEST_TIMEOUT_SECONDS', {
      default: 30,
      minimum: 1,
      help: 'Time within which a request must arrive.',
    }),
    maxStreams: integer('CONSOLE_MAX_STREAMS', {
      default: 2000,
      minimum: 1,
      help: 'Maximum event streams.',
    }),
    ...served,
  },
  session: {
    keys: sessionKeys,
    idleMinutes: integer('CONSOLE_SESSION_IDLE_MINUTES', {
      default: 60,
      minimum: 1,
      help: 'Minutes without a request until a session ends.',
    }),
  },
  identityUrl: url('IDENTITY_URL', ['http', 'https'], {
    default: 'http://127.0.0.1:35357',
    help: 'Base URL of identity-service, without a version.',
  }),
  dnsUrl: url('CONSOLE_DNS_API_URL', ['http', 'https'], {
    default: 'http://127.0.0.1:9001',
    help: 'Base URL of the DNS API, without a version.',
  }),
  filesFolder: optionalText('CONSOLE_FILES', {
    help: 'Folder with the pages. The default is the pages of the package `console`.',
  }),
  tracing: TRACING_SETTINGS,
} satisfies SettingsTree;

export type ConsoleSettings = SettingsOf<typeof CONSOLE_SETTINGS>;

export function filesFolderOf({ filesFolder }: ConsoleSettings): string {
  return (
    filesFolder ?? dirname(fileURLToPath(import.meta.resolve('@zonewright/console/index.html')))
  );
}
