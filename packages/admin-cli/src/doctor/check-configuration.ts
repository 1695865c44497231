import { readPostgresUrl, readRedisUrl, readSettingText } from '@zonewright/service-kit';
import type { Check } from './finding.js';
import { type Finding, ok, warning } from './finding.js';

const AREA = 'configuration';
/** Passwords that common examples use. */
const WELL_KNOWN = new Set([
  '',
  'postgres',
  'password',
  'zonewright',
  'redis',
  'changeme',
  'secret',
  'admin',
]);
/**
 * A key with fewer different octets is weak. 32 random octets contain about 30 different ones, and almost never fewer
 * than half of that.
 */
const LEAST_DIFFERENT_OCTETS = 15;

/** Finds settings that are valid but unsafe in production. Invalid settings are reported before any check. */
export const checkConfiguration: Check = ({ env, settings }) => {
  const findings = [
    ...checkPassword('DATABASE_URL', loginOfPostgres(settings.databaseUrl)),
    ...checkPassword('REDIS_URL', loginOfRedis(settings.doctor.redisUrl)),
    ...checkEncryptionKeys(
      readSettingText('ENCRYPTION_KEYS', env),
      settings.encryptionKeys !== undefined,
    ),
    ...checkRateLimits(readSettingText('RATE_LIMITS', env)),
  ];
  return Promise.resolve(
    findings.length > 0 ? findings : [ok(AREA, 'All settings are well formed.')],
  );
};

interface Login {
  readonly host: string;
  readonly password: string;
}

/** Returns the login of the first server. All servers of a URL share one. */
function loginOfPostgres(text: string): Login {
  const { hostname, password } = new URL(readPostgresUrl(text).urls[0] ?? '');
  return { host: hostname, password: decodeURIComponent(password) };
}

function loginOfRedis(text: string | undefined): Login | undefined {
  if (text === undefined) return undefined;
  const address = readRedisUrl(text);
  const [first] =
    'host' in address ? [address] : 'nodes' in address ? address.nodes : address.sentinels;
  return { host: first?.host ?? '', password: address.password ?? '' };
}

function checkPassword(variable: string, login: Login | undefined): Finding[] {
  if (login === undefined) return [];
  const { host, password } = login;
  if (isLoopback(host) || !WELL_KNOWN.has(password.toLowerCase())) return [];
  const what = password === '' ? 'no password' : 'a password that is easy to guess';
  return [
    warning(AREA, `${variable} has ${what}.`, `Set a random password and use it in ${variable}.`),
  ];
}

function isLoopback(host: string): boolean {
  return ['', 'localhost', '::1', '[::1]'].includes(host) || /^127\./.test(host);
}

function checkEncryptionKeys(text: string | undefined, areGiven: boolean): Finding[] {
  if (text === undefined || !areGiven) {
    return [
      warning(
        AREA,
        'ENCRYPTION_KEYS is not set, so doctor cannot check whether secrets in the database can be decrypted.',
        'Set ENCRYPTION_KEYS to the value of identity-service.',
      ),
    ];
  }
  const weak = text
    .split(',')
    .map((entry) => entry.trim().split(':'))
    .filter(([, key = '']) => new Set(Buffer.from(key, 'base64')).size < LEAST_DIFFERENT_OCTETS);
  return weak.map(([id]) =>
    warning(
      AREA,
      `The encryption key ${id ?? ''} is not random.`,
      'Replace it: run zonewright-admin encryption-key generate, then follow docs/operations/keys.md.',
    ),
  );
}

function checkRateLimits(value: string | undefined): Finding[] {
  if (value !== 'false') return [];
  return [
    warning(
      AREA,
      'RATE_LIMITS is false: passwords can be guessed without limit.',
      'Remove RATE_LIMITS from the environment of identity-service.',
    ),
  ];
}
