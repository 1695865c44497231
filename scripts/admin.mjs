// `npm run admin -- COMMAND`: runs admin-cli on the installation of `npm start`, unless DATABASE_URL is set.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT, build, ensureInstalled, run } from './install.mjs';

ensureInstalled();
build();
const facts = join(resolve(ROOT, process.env.ZONEWRIGHT_DATA_DIR || '.zonewright'), 'operator.env');
if (!process.env.DATABASE_URL && existsSync(facts)) {
  process.loadEnvFile(facts);
  // Placed with the logs of the installation.
  process.env.ADMIN_AUDIT_FILE ||= join(dirname(facts), 'logs', 'audit.log');
}
// Same value as in docker/admin.Dockerfile.
process.env.UV_THREADPOOL_SIZE ??= '64';
run(process.execPath, ['packages/admin-cli/dist/main.js', ...process.argv.slice(2)]);
