// The secrets of docker-compose.yml and how each of them is made: one place for scripts/generate-env.mjs, which writes them into
// .env, and for make-secrets.mjs, which writes those that are missing into volumes.
import { randomBytes, randomInt } from 'node:crypto';

const ACCESS_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Fits into a URL as it is. */
const password = () => randomBytes(24).toString('base64url');

/** Decisions 2: 20 characters of A-Z0-9. */
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
