// Makes `npm start`, `npm test` and `npm run verify` work on a machine that has Node and npm and nothing
// else: pnpm comes through npx at the version that package.json pins, and pnpm-lock.yaml is frozen. A stamp
// remembers what was installed, so that every later run needs neither the network nor the time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const STAMP = join(ROOT, 'node_modules', '.zonewright-installed');
const COMPILED = join(ROOT, 'node_modules', '.zonewright-compiled');
const MINIMUM_NODE = [20, 19];
/** PostgreSQL begins with 60, a service with 40; the rest is for connections. */
const MINIMUM_OPEN_FILES = 256;

/** Everything that decides what an install puts on disk; native addons also depend on the platform. */
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

/** Of what is started, each program may open as many files and connections as this shell lets it. */
export function requireOpenFiles() {
  // Node has raised its own limit as far as it may, and passes that on.
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' });
  const limit = Number.parseInt(stdout ?? '', 10);
  if (!(limit < MINIMUM_OPEN_FILES)) return;
  console.error(
    `A program may open ${limit} files here, and Zonewright needs ${MINIMUM_OPEN_FILES}, with many clients thousands: run \`ulimit -n 4096\` first, in a new shell where this one refuses it.`,
  );
  process.exit(1);
}

/** Installs the dependencies if they are not there yet, or not the ones of this lockfile. */
export function ensureInstalled() {
  requireNode();
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  console.error(`Installing dependencies (${packageManager}, through npx; only needed once) ...`);
  const started = Date.now();
  prepare('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
    // Without a terminal pnpm would ask before it replaces a node_modules made by something else.
    pnpm_config_confirm_modules_purge: 'false',
    npm_config_update_notifier: 'false',
  });
  writeFileSync(STAMP, wanted);
  console.error(`Dependencies are installed (${seconds(started)} s).`);
}

/** Compiles all packages; what is up to date is not compiled again. */
export function build() {
  const first = !existsSync(join(ROOT, 'packages', 'dev-stack', 'dist'));
  if (first) console.error('Compiling TypeScript (only needed once, and after a change) ...');
  const started = Date.now();
  compile();
  buildPages();
  if (first) console.error(`Compiled (${seconds(started)} s).`);
}

/** `dist` of all packages, where it is gone, or something that it is made of is not as it was. */
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

/** Of files and all that is in folders, by when they were written: nothing is read, since every start waits for it. */
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

/** The pages of the console, where something that they are made of is not as it was. */
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

/** The script file of a development tool's command, to run it with this very Node. */
export function binary(packageName, command = packageName) {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/** Standard output belongs to what is run afterwards: `npm run admin -- X --json` must print JSON and nothing else. */
function prepare(command, args, env = {}) {
  run(command, args, env, ['inherit', 2, 2]);
}

/** Runs a command to its end, in the foreground; its failure ends this process with the same code. */
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
