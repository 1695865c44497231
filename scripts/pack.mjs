// `node scripts/pack.mjs FOLDER` writes the npm packages into FOLDER: `zonewright`, the command as a single file with everything it needs, and `@zonewright/client`, compiled and with its types. Neither has dependencies, and `npm publish FOLDER/NAME.tgz` accepts them unchanged.
import { build as bundle } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { ROOT, binary, run } from './install.mjs';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/pack.mjs FOLDER');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const { version, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'zonewright-pack-'));
try {
  await pack('cli', 'zonewright', (to) => bundleCommand(join(to, 'dist', 'main.js'), to));
  await pack('client', '@zonewright/client', (to, from) => {
    const output = ['--noEmit', 'false', '--declaration', '--outDir', join(to, 'dist')];
    run(process.execPath, [binary('typescript-native', 'tsc'), '--project', from, ...output]);
  });
} finally {
  rmSync(scratch, { recursive: true });
}

async function pack(name, published, fill) {
  const from = join(ROOT, 'packages', name);
  const to = join(scratch, name);
  mkdirSync(join(to, 'dist'), { recursive: true });
  await fill(to, from);
  const { description, type, sideEffects, bin, exports } = readManifest(from);
  const { types, default: main } = exports?.['.'] ?? {};
  const manifest = {
    ...{ name: published, version, description, license, type, sideEffects, engines, bin },
    ...(exports === undefined ? {} : { exports: { '.': { types, default: main } } }),
    files: ['dist', 'THIRD-PARTY-LICENSES'],
  };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(to, 'LICENSE'));
  writeFileSync(
    join(to, 'README.md'),
    withoutLinksToFiles(readFileSync(join(from, 'README.md'), 'utf8')),
  );
  const destination = ['--pack-destination', resolve(folder)];
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', ...destination], {
    cwd: to,
    encoding: 'utf8',
  });
  if (packed.status !== 0) throw new Error(`npm pack failed for ${published}:\n${packed.stderr}`);
  console.log(join(folder, JSON.parse(packed.stdout)[0].filename));
}

/**
 * Bundles the command into one file, which is smaller than the services' modules; bundled packages keep their licences.
 */
async function bundleCommand(outfile, to) {
  const { metafile } = await bundle({
    entryPoints: [join(ROOT, 'packages/cli/src/main.ts')],
    outfile,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['@zonewright/source'],
    banner: {
      js: `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`,
    },
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(to, 'THIRD-PARTY-LICENSES'), readLicenses(Object.keys(metafile.inputs)));
}

function readLicenses(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]);
  return [...new Set(folders)]
    .filter((path) => path !== undefined)
    .map((path) => join(ROOT, path))
    .map((path) => {
      const text = readFileSync(join(path, 'LICENSE'), 'utf8').trim();
      return `${basename(path)} ${readManifest(path).version}\n\n${text}\n`;
    })
    .join('\n---\n\n');
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}

/** Removes links to files, because the package does not contain the files. */
function withoutLinksToFiles(markdown) {
  return markdown.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}
