// `npm run mutate -- [PATH...] [--since REF] [--with TEST...] [--most N] [--seed N] [--seconds N] [--lines FROM-TO]` puts faults into the named sources (a file, a folder, or the changes since a commit), one at a time. It runs the tests that reach each fault, and names the faults that no test noticed. The pure tests beside the source run first, then the suites of `--with`, on a separate database. A fault exists only in the process of the tests: no file is changed, and programs that a test starts run without the fault.
import { fork, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, build, ensureInstalled } from './install.mjs';
import { listFaults } from './mutate/faults.mjs';

/**
 * A process is replaced after it has loaded the workspace this many times, because loaded modules stay in its memory.
 */
const RUNS_OF_A_PROCESS = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    most: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    lines: { type: 'string' },
  },
});
const [first = 1, last = Infinity] = values.lines?.split('-').map(Number) ?? [];

ensureInstalled();
const sources = listSources();
if (sources.length === 0) fail('Name sources (packages/*/src), or changes with --since.');
const found = sources
  .flatMap((path) => listFaults(path, readFileSync(path, 'utf8')))
  .filter(({ line }) => line >= first && line <= last);
const faults = choose(found, Number(values.most), Number(values.seed));

let runner;
let runs = 0;
const tests = new Map();
const folder = mkdtempSync(join(tmpdir(), 'zonewright-mutate-'));
process.on('exit', () => {
  runner?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
const environment = values.with.length > 0 ? await startEnvironment() : undefined;
try {
  const unnoticed = await tryAll();
  for (const fault of unnoticed) console.log(describe(fault));
  const share = Math.round((100 * (faults.length - unnoticed.length)) / (faults.length || 1));
  console.log(
    `${faults.length - unnoticed.length} of ${faults.length} faults noticed (${share} %), of ${found.length} that can be put in; seed ${values.seed}`,
  );
  process.exitCode = unnoticed.length === 0 ? 0 : 1;
} finally {
  runner?.child.kill('SIGKILL');
  await environment?.stop();
}

function listSources() {
  const changed =
    values.since === undefined
      ? []
      : spawnSync('git', ['diff', '--name-only', '--diff-filter=d', values.since], { cwd: ROOT })
          .stdout.toString()
          .split('\n');
  return [...positionals, ...changed]
    .map((path) => resolve(ROOT, path))
    .flatMap((path) => (existsSync(path) && statSync(path).isDirectory() ? walk(path) : [path]))
    .filter((path) => /\/packages\/[^/]+\/src\/.*(?<!\.test)\.ts$/.test(path));
}

function walk(path) {
  const names = readdirSync(path, { recursive: true });
  return names.map((name) => join(path, name)).filter((each) => !each.includes('/generated/'));
}

/** Chooses a sample that takes some faults from each file; the same seed gives the same sample. */
function choose(all, most, seed) {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  for (let turn = 0; turn < 10; turn += 1) random();
  const kept = all
    .map((fault) => [random(), fault])
    .sort(([one], [other]) => one - other)
    .slice(0, most)
    .map(([, fault]) => fault);
  return kept.sort((one, other) => one.path.localeCompare(other.path) || one.start - other.start);
}

async function startEnvironment() {
  build();
  const { startTestEnvironment } = await import('../packages/dev-stack/dist/index.js');
  return await startTestEnvironment({
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    onProgress: () => {},
  });
}

async function tryAll() {
  const unnoticed = [];
  for (const [at, fault] of faults.entries()) {
    const by = await notice(fault);
    process.stderr.write(`${at + 1}/${faults.length} ${place(fault)} ${by ?? 'NOT NOTICED'}\n`);
    if (by === undefined) unnoticed.push(fault);
  }
  return unnoticed;
}

/** Returns the first test file that fails, or does not end, with this fault. */
async function notice(fault) {
  for (const test of [...pureTests(fault.path), ...values.with]) {
    if (!(await reach(test, fault))) continue;
    const { failed } = await run({ test, mutant: fault });
    if (failed) return test;
  }
  return undefined;
}

/**
 * Returns whether a test runs the code at the fault. Each test runs once without a fault to answer this for all faults.
 */
async function reach(test, { path, start }) {
  if (!tests.has(test)) {
    const { failed, message, covered } = await run({ test });
    if (failed) fail(`${test} fails without a fault: ${message}`);
    tests.set(test, new Map(covered.map(({ path: each, ranges }) => [each, ranges])));
  }
  const around = (tests.get(test).get(path) ?? []).filter(
    ({ startOffset, endOffset }) => startOffset <= start && start < endOffset,
  );
  // The innermost range comes first, and decides.
  around.sort(
    (one, other) => one.endOffset - one.startOffset - (other.endOffset - other.startOffset),
  );
  return (around[0]?.count ?? 0) > 0;
}

/**
 * Returns the package's pure tests, the nearest first. Whether one of them loads the source is known only when it runs.
 */
function pureTests(path) {
  const [, name] = relative(ROOT, path).split('/');
  const own = path.replace(/\.ts$/, '.');
  const distance = (test) =>
    test.startsWith(own) ? 0 : relative(dirname(path), test).split('/').length;
  return walk(join(ROOT, 'packages', name, 'src'))
    .filter((each) => each.endsWith('.test.ts'))
    .sort((one, other) => distance(one) - distance(other))
    .map((each) => relative(ROOT, each));
}

async function run(request) {
  if (runner === undefined || runs >= RUNS_OF_A_PROCESS) await startRunner();
  runs += 1;
  return await new Promise((resolve) => {
    const { child } = runner;
    const seconds = Number(values.seconds) * (request.mutant === undefined ? 10 : 1);
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
    const end = () => {
      runner = undefined;
      resolve({ failed: true, message: 'The process ended.' });
    };
    child.once('exit', end);
    child.once('message', (message) => {
      clearTimeout(timer);
      child.off('exit', end);
      resolve(message);
    });
    child.send(request);
  });
}

async function startRunner() {
  runner?.child.removeAllListeners('exit');
  runner?.child.kill('SIGKILL');
  runs = 0;
  const env = {
    ...process.env,
    ...environment?.variables,
    ZONEWRIGHT_MUTANT: join(folder, 'fault'),
  };
  delete env.DATABASE_URL;
  delete env.REDIS_URL;
  const child = fork(join(ROOT, 'scripts/mutate/runner.mjs'), {
    ...{ cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  });
  runner = { child };
  await new Promise((resolve) => child.once('message', resolve));
}

function place({ path, line }) {
  return `${relative(ROOT, path)}:${line}`;
}

function describe(fault) {
  return `${place(fault)}: ${fault.before}  ->  ${fault.text || '(nothing)'}`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
