// `node scripts/sbom.mjs FOLDER` writes a CycloneDX 1.6 bill of materials for each image into FOLDER: the packages that its program needs in production, according to the lockfile and the installed files. pnpm itself generates it, so that it cannot differ from an installation.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, ensureInstalled } from './install.mjs';

/** The images (docker/NAME.Dockerfile) and the package that each of them contains. */
const IMAGES = {
  admin: 'admin-cli',
  cli: 'cli',
  'identity-service': 'identity-service',
  'dns-api': 'dns-api',
  nameserver: 'nameserver',
  signer: 'signer',
  'console-service': 'console-service',
};

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('usage: node scripts/sbom.mjs FOLDER');
  process.exit(2);
}
ensureInstalled();
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
const { packageManager, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

const options = '--prod --sbom-format cyclonedx --sbom-spec-version 1.6 --sbom-type application';
const fileOf = (image) => `zonewright-${image}-${version}.cdx.json`;
const commands = Object.entries(IMAGES).map(
  ([image, name]) =>
    `pnpm sbom ${options} --filter @zonewright/${name} >"$SBOM_FOLDER/${fileOf(image)}"`,
);
// npm starts only once for all packages, because a start costs as much as the work itself.
const { status } = spawnSync(
  'npx',
  ['--yes', '--prefer-offline', '--package', packageManager, '--call', commands.join(' && ')],
  {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SBOM_FOLDER: folder },
  },
);
if (status !== 0) {
  console.error('pnpm sbom failed');
  process.exit(1);
}
for (const image of Object.keys(IMAGES)) {
  const file = join(folder, fileOf(image));
  console.log(`${file}: ${JSON.parse(readFileSync(file, 'utf8')).components.length} components`);
}
