// `node scripts/compile.mjs [PACKAGE...]`: makes `dist` of the sources: each program and each thread one file with all that it needs,
// and beside them, where no packages are named, every module by itself, for scripts and benchmarks. What a service needs to start was 1,700
// small files, and finding them took longer than all else (docs/adr/README.md, 0043). Types are checked by `npm run verify`.
import { build } from 'esbuild';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');

/** What runs of each package: a program, or a thread of one. */
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

/** Which libraries would load if they were there, or if we used another database. */
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
 * What CommonJS modules, as most libraries are, expect around them. Later versions of Node have a navigator: where there is
 * none, pg makes a Response to find out where it runs, which loads all that fetch needs.
 */
const COMMON_JS = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);
const __filename = import.meta.filename;
const __dirname = import.meta.dirname;
const navigator = { userAgent: 'Node.js' };`;

const named = process.argv.slice(2);
if (named.length === 0) await Promise.all(listPackages().map(compileModules));
await Promise.all((named.length > 0 ? named : Object.keys(ENTRIES)).map(bundlePrograms));

/** Those of which something runs in Node. */
function listPackages() {
  return readdirSync(PACKAGES).filter(
    (name) => name !== 'console' && existsSync(join(PACKAGES, name, 'src')),
  );
}

/** Every module of a package by itself, without its types. */
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
    // Native code lies beside the program.
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
