// Secrets of docker-compose.yml and how each is generated. It is used by scripts/generate-env.mjs, which writes them to
// .env, and by make-secrets.mjs, which writes missing ones to volumes.
import { randomBytes, randomInt } from 'node:crypto';

const ACCESS_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Generates a password that needs no escapes in a URL. */
const password = () => randomBytes(24).toString('base64url');

/** Generates 20 characters of A-Z0-9 (decisions 2). */
const accessKey = () =>
  Array.from({ length: 20 }, () => ACCESS_KEY_ALPHABET[randomInt(36)]).join('');

const secretKey = () => randomBytes(30).toString('base64url');

export const SECRETS = {
  POSTGRES_PASSWORD: password,
  REDIS_PASSWORD: password,
  IDENTITY_DATABASE_PASSWORD: password,
  DNS_API_DATABASE_PASSWORD: password,
  NAMESERVER_DATABASE_PASSWORD: password,
  OPERATOR_DATABASE_PASSWORD: password,
  ENCRYPTION_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  TRANSFER_ENCRYPTION_KEYS: () => `t1:${randomBytes(32).toString('base64')}`,
  DNS_API_SERVICE_ACCESS_KEY: accessKey,
  DNS_API_SERVICE_SECRET_KEY: secretKey,
  NAMESERVER_SERVICE_ACCESS_KEY: accessKey,
  NAMESERVER_SERVICE_SECRET_KEY: secretKey,
  ADMINISTRATOR_PASSWORD: password,
  NAMESERVER_COOKIE_SECRETS: () => randomBytes(16).toString('hex'),
  CONSOLE_SESSION_KEYS: () => `s1:${randomBytes(32).toString('base64')}`,
  SIGNER_DATABASE_PASSWORD: password,
  SIGNER_ENCRYPTION_KEYS: () => `z1:${randomBytes(32).toString('base64')}`,
  SIGNER_SECRET: password,
};
