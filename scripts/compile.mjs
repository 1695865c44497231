// `node scripts/compile.mjs [PACKAGE...]`: builds `dist` from the sources. Each program and each thread becomes one file with everything that it needs. Without package names, every module is also compiled separately for scripts and benchmarks. A service used to load 1,700 small files, and finding them took most of its start (docs/adr/README.md, 0043). Types are checked by `npm run verify`.
import { build } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');

/** Entry points of each package: a program, or one of its threads. */
const ENTRIES = {
  'admin-cli': ['main'],
  cli: ['main'],
  'console-service': ['main'],
  database: ['main'],
  'dev-stack': ['main'],
  'dns-api': ['main'],
  'identity-service': ['main'],
  nameserver: ['main', 'udp/udp-batch-worker'],
  signer: ['main'],
};

/** Optional packages that libraries would load, for example for another database. */
const ABSENT = [
  'better-sqlite3',
  'mariadb',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];

/**
 * Environment that CommonJS modules, as most libraries are, expect. Later versions of Node.js have a navigator. Without
 * one, pg creates a Response to detect its environment, which loads everything that fetch needs.
 */
const COMMON_JS = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
const navigator = { userAgent: 'Node.js' };`;

const named = process.argv.slice(2);
if (named.length === 0) await Promise.all(listPackages().map(compileModules));
await Promise.all((named.length > 0 ? named : Object.keys(ENTRIES)).map(bundlePrograms));

/** Lists the packages with code for Node.js. */
function listPackages() {
  return readdirSync(PACKAGES).filter(
    (name) => name !== 'console' && existsSync(join(PACKAGES, name, 'src')),
  );
}

/** Compiles every module of a package separately, without its types. */
async function compileModules(name) {
  const programs = ENTRIES[name] ?? [];
  const modules = readdirSync(join(PACKAGES, name, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !/\.(test|d)\.ts$/.test(path))
    .map((path) => path.replaceAll('\\', '/').slice(0, -'.ts'.length));
  await compile(
    name,
    modules.filter((module) => !programs.includes(module)),
  );
}

async function bundlePrograms(name) {
  await compile(name, ENTRIES[name], {
    bundle: true,
    conditions: ['@zonewright/source'],
    external: ABSENT,
    // Native code is copied beside the program.
    loader: { '.node': 'copy' },
    banner: { js: COMMON_JS },
  });
}

async function compile(name, modules, options = {}) {
  const source = join(PACKAGES, name, 'src');
  await build({
    entryPoints: modules.map((module) => join(source, `${module}.ts`)),
    outbase: source,
    outdir: join(PACKAGES, name, 'dist'),
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    ...options,
  });
}
