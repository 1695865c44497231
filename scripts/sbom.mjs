// `node scripts/sbom.mjs FOLDER`: writes a CycloneDX 1.6 bill of materials of each image into FOLDER: what its program needs
// in production, from the lockfile and what is installed. Made by pnpm itself, so that it cannot differ from an install.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, ensureInstalled } from './install.mjs';

/** Images (docker/NAME.Dockerfile) and the package that each of them carries. */
const IMAGES = {
  admin: 'admin-cli',
  cli: 'cli',
  'identity-service': 'identity-service',
  'dns-api': 'dns-api',
  nameserver: 'nameserver',
  signer: 'signer',
  'console-service': 'console-service',
};

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/sbom.mjs FOLDER');
  process.exit(2);
}
ensureInstalled();
mkdirSync(folder, { recursive: true });
const { packageManager, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

for (const [image, name] of Object.entries(IMAGES)) {
  const options = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6'];
  const { status, stdout, stderr } = spawnSync(
    'npx',
    [
      ...['--yes', '--prefer-offline', packageManager, 'sbom', '--prod', ...options],
      ...['--sbom-type', 'application', '--filter', `@zonewright/${name}`],
    ],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  if (status !== 0) {
    console.error(`pnpm sbom failed for ${name}:\n${stderr}`);
    process.exit(1);
  }
  const file = join(folder, `zonewright-${image}-${version}.cdx.json`);
  writeFileSync(file, stdout);
  console.log(`${file}: ${JSON.parse(stdout).components.length} components`);
}
