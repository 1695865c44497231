// `node scripts/generate-env.mjs`: writes .env with new random secrets for docker-compose.yml, readable only by its owner. An existing file is not changed: with other secrets, neither the databases nor encrypted data could be opened.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRETS } from '../docker/secret-values.mjs';
import { ROOT } from './install.mjs';

const file = process.argv[2] ?? join(ROOT, '.env');
// An option is rejected, too: it would become the name of a file.
if (process.argv.length > 3 || file.startsWith('-')) {
  console.error('Usage: node scripts/generate-env.mjs [FILE]; .env without one.');
  process.exit(2);
}

const text = `# Secrets of docker-compose.yml, made by scripts/generate-env.mjs. Keep this file: without it what is
# encrypted in the database cannot be read. docs/reference/configuration.md says what each variable is.
${Object.entries(SECRETS)
  .map(([name, make]) => `${name}=${make()}\n`)
  .join('')}`;

try {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  console.error(`${file} exists already and was left as it is; move it away to get new secrets.`);
  process.exit(1);
}
console.log(`Wrote ${file}: secrets for docker-compose.yml, readable by you only.`);
