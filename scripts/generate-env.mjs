// `node scripts/generate-env.mjs`: writes .env with new random secrets for docker-compose.yml, readable by its
// owner only. A file that is there is left alone: with other secrets than before, neither the databases nor
// what is encrypted in them would open.
import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './install.mjs';

const file = process.argv[2] ?? join(ROOT, '.env');
const ACCESS_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Fits into a URL as it is. */
const password = () => randomBytes(24).toString('base64url');

/** Decisions 2: 20 characters of A-Z0-9. */
const accessKey = () =>
  Array.from({ length: 20 }, () => ACCESS_KEY_ALPHABET[randomInt(36)]).join('');

const text = `# Secrets of docker-compose.yml, made by scripts/generate-env.mjs. Keep this file: without it what is
# encrypted in the database cannot be read. docs/configuration.md says what each variable is.
POSTGRES_PASSWORD=${password()}
REDIS_PASSWORD=${password()}
IDENTITY_DATABASE_PASSWORD=${password()}
DNS_API_DATABASE_PASSWORD=${password()}
NAMESERVER_DATABASE_PASSWORD=${password()}
OPERATOR_DATABASE_PASSWORD=${password()}
ENCRYPTION_KEYS=k1:${randomBytes(32).toString('base64')}
DNS_API_SERVICE_ACCESS_KEY=${accessKey()}
DNS_API_SERVICE_SECRET_KEY=${randomBytes(30).toString('base64url')}
ADMINISTRATOR_PASSWORD=${password()}
NAMESERVER_COOKIE_SECRETS=${randomBytes(16).toString('hex')}
`;

try {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  console.error(`${file} exists already and was left as it is; move it away to get new secrets.`);
  process.exit(1);
}
console.log(`Wrote ${file}: secrets for docker-compose.yml, readable by you only.`);
