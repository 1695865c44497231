// Makes `npm start`, `npm test` and `npm run verify` work on a machine with only Node.js and npm. pnpm is run through
// npx at the version in package.json, and pnpm-lock.yaml is frozen. A stamp stores what was installed, so that later
// runs need neither the network nor the time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = join(ROOT, 'node_modules', '.zonewright-installed');
const COMPILED = join(ROOT, 'node_modules', '.zonewright-compiled');
const MINIMUM_NODE = [20, 19];
/** Minimum number of open files. PostgreSQL starts with 60, a service with 40; the rest is for connections. */
const MINIMUM_OPEN_FILES = 256;

/** Returns a hash of everything that decides the result of an install. Native addons also depend on the platform. */
function fingerprint() {
  const hash = createHash('sha256');
  const manifests = readdirSync(join(ROOT, 'packages'))
    .map((name) => join(ROOT, 'packages', name, 'package.json'))
    .filter((path) => existsSync(path));
  for (const path of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
    .map((name) => join(ROOT, name))
    .concat(manifests.sort())) {
    hash.update(readFileSync(path)).update('\0');
  }
  return hash.update(`${process.platform} ${process.arch}`).digest('hex');
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  console.error(
    `Zonewright needs Node.js ${MINIMUM_NODE.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(1);
}

/** Requires that each program may open enough files and connections, by the limit of this shell. */
export function requireOpenFiles() {
  // Node.js has raised its own limit as far as possible, and child processes inherit it.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' });
  const limit = Number.parseInt(stdout ?? '', 10);
  if (!(limit < MINIMUM_OPEN_FILES)) return;
  console.error(
    `A program may open ${limit} files here, and Zonewright needs ${MINIMUM_OPEN_FILES}, with many clients thousands: run \`ulimit -n 4096\` first, in a new shell where this one refuses it.`,
  );
  process.exit(1);
}

/** Installs the dependencies, if they are missing or do not match this lockfile. */
export function ensureInstalled() {
  requireNode();
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  console.error(`Installing dependencies (${packageManager}, through npx; only needed once) ...`);
  const started = Date.now();
  prepare('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
    // Without a terminal, pnpm would ask before it replaces a node_modules of another program.
    pnpm_config_confirm_modules_purge: 'false',
    npm_config_update_notifier: 'false',
  });
  writeFileSync(STAMP, wanted);
  console.error(`Dependencies are installed (${seconds(started)} s).`);
}

/** Compiles all packages. Those that are up to date are not compiled again. */
export function build() {
  const first = !existsSync(join(ROOT, 'packages', 'dev-stack', 'dist'));
  if (first) console.error('Compiling TypeScript (only needed once, and after a change) ...');
  const started = Date.now();
  compile();
  buildPages();
  if (first) console.error(`Compiled (${seconds(started)} s).`);
}

/** Builds `dist` of all packages, if it is missing or its sources have changed. */
function compile() {
  const script = join(ROOT, 'scripts', 'compile.mjs');
  const packages = readdirSync(join(ROOT, 'packages'))
    .filter((name) => name !== 'console')
    .map((name) => join(ROOT, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'src')));
  const isThere = packages.every((folder) => existsSync(join(folder, 'dist')));
  const wanted = fingerprintByTime([STAMP, script, ...packages.map((each) => join(each, 'src'))]);
  if (isThere && existsSync(COMPILED) && readFileSync(COMPILED, 'utf8') === wanted) return;
  prepare(process.execPath, [script]);
  writeFileSync(COMPILED, wanted);
}

/**
 * Returns a hash of files and folders by modification time. Contents are not read, since every start waits for this.
 */
function fingerprintByTime(paths) {
  const hash = createHash('sha256');
  const all = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true }).map((name) => join(path, name))
      : [path],
  );
  for (const path of all.sort()) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${relative(ROOT, path)} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

/** Builds the pages of the console, if their sources have changed. */
function buildPages() {
  const folder = join(ROOT, 'packages', 'console');
  if (!existsSync(folder)) return;
  const stamp = join(folder, 'dist', '.built');
  const wanted = pagesFingerprint(folder);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  const vite = join(folder, 'node_modules', 'vite', 'bin', 'vite.js');
  prepare(process.execPath, [vite, 'build', '--config', join(folder, 'vite.config.mjs')]);
  writeFileSync(stamp, wanted);
}

function pagesFingerprint(folder) {
  const hash = createHash('sha256').update(readFileSync(STAMP));
  const roots = ['src', 'public'].map((name) => join(folder, name));
  const files = [...roots, join(ROOT, 'packages', 'client', 'src')].flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const single = ['index.html', 'vite.config.mjs', 'tsconfig.json'];
  for (const file of [...files.sort(), ...single.map((name) => join(folder, name))]) {
    hash.update(relative(ROOT, file)).update('\0').update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Returns the script of a development tool's command, to run it with the current Node.js. */
export function binary(packageName, command = packageName) {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/**
 * Runs a preparation. Standard output is reserved for the actual command: `npm run admin -- X --json` must print only
 * JSON.
 */
function prepare(command, args, env = {}) {
  run(command, args, env, ['inherit', 2, 2]);
}

/** Runs a command to its end in the foreground. If it fails, this process ends with the same code. */
export function run(command, args, env = {}, stdio = 'inherit') {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32' && command === 'npx',
  });
  if (result.error) {
    console.error(`Cannot run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1);
}
