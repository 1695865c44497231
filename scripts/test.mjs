// `npm test [-- jest arguments]` runs all tests on a separate PostgreSQL and Redis, so that other programs on this machine do not disturb them. DATABASE_URL and REDIS_URL replace them. Pure tests (`packages/*/src`) need neither, and no build: if all named paths are in `src`, jest starts at once, also with `--watch` or `--watchAll`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { checkAnswers } from './check-answers.mjs';
import { FAILED_FILES } from './jest/failed-files.mjs';
import { ROOT, binary, build, ensureInstalled, requireOpenFiles } from './install.mjs';

/** If more files than this fail, the machine's load is not the cause, and they are not repeated. */
const MAX_FILES_AGAIN = 5;

requireOpenFiles();
ensureInstalled();
const pure = pureProjects(process.argv.slice(2));
if (pure !== undefined) {
  const args = [...process.argv.slice(2), '--selectProjects', ...pure];
  // jest stays in the same process group, so that watch mode can read keys.
  const { status } = spawnSync(process.execPath, [binary('jest'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.exit(status ?? 1);
}
build();
const { startTestEnvironment } = await import('../packages/dev-stack/dist/index.js');

let environment;
try {
  environment = await startTestEnvironment({
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    onProgress: console.log,
  });
} catch (error) {
  console.error(`The tests could not start: ${error.message}`);
  process.exit(1);
}

// Tests receive these addresses through other variables; the services under test would inherit the two URLs.
const inherited = { ...process.env };
delete inherited.DATABASE_URL;
delete inherited.REDIS_URL;
let jest;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signalGroup(jest.pid, signal));
const whole = isWhole(process.argv.slice(2));
let [code, signal] = await runJest(process.argv.slice(2));
const failedFiles = listLines(FAILED_FILES);
if (code === 1 && whole && process.env.CI && failedFiles.length <= MAX_FILES_AGAIN) {
  console.log(
    `\nThese files failed; each runs again, with nothing beside it:\n${failedFiles.join('\n')}`,
  );
  [code, signal] = await runJest(['--runInBand', '--runTestsByPath', ...failedFiles]);
  if (code === 0) console.log(`\nFailed beside others, passed alone:\n${failedFiles.join('\n')}`);
}
const problems = code === 0 && whole ? checkAnswers(answersFolder()) : [];
for (const problem of problems) console.error(problem);
for (const line of listSkipped()) console.log(line);
await environment.stop();
process.exit(code === 0 && problems.length > 0 ? 1 : (code ?? (signal === null ? 1 : 130)));

/** @returns jest's exit code, or the signal that ended it. */
function runJest(args) {
  jest = spawn(process.execPath, [binary('jest'), ...args], {
    cwd: ROOT,
    // jest does not pass signals on, so it gets a separate process group, which includes its workers and the programs
    // that tests start.
    detached: true,
    stdio: 'inherit',
    env: { ...inherited, ...environment.variables },
  });
  return new Promise((resolve) => jest.on('exit', (...end) => resolve(end)));
}

/** Returns the packages of the named files and folders if all of them are in a package's `src`, otherwise undefined. */
function pureProjects(args) {
  const takesValue = /^(-t|--testNamePattern|-w|--maxWorkers|--testTimeout|--seed)$/;
  const paths = args.filter(
    (arg, at) => !arg.startsWith('-') && !takesValue.test(args[at - 1] ?? ''),
  );
  const projects = paths.map((path) => {
    const [root, name, folder] = relative(ROOT, resolve(ROOT, path)).split(sep);
    return root === 'packages' && folder === 'src' && existsSync(resolve(ROOT, path))
      ? name
      : undefined;
  });
  const selects = args.some((arg) => /^--(selectProjects|testPathPatterns)/.test(arg));
  return paths.length > 0 && !selects && !projects.includes(undefined)
    ? [...new Set(projects)]
    : undefined;
}

/** Tests record the services' answers in this folder (packages/testkit/src/record-answers.ts). */
function answersFolder() {
  return join(environment.variables.ZONEWRIGHT_TEST_FOLDER, 'answers');
}

/** Lists the tests that suites skip, with their reasons (scripts/jest/environment.mjs). */
function listSkipped() {
  const lines = listLines('skipped').toSorted();
  return lines.length === 0 ? [] : ['', 'Not tested here:', ...lines.map((line) => `  ${line}`)];
}

/** Returns the distinct lines of a file that the test processes write to. */
function listLines(name) {
  const file = join(environment.variables.ZONEWRIGHT_TEST_FOLDER, name);
  return existsSync(file) ? [...new Set(readFileSync(file, 'utf8').trim().split('\n'))] : [];
}

/** Returns whether the options select all tests, with every service that they need. */
function isWhole(options) {
  const isOfForm = (option) => /^--(json|outputFile|maxWorkers)/.test(option);
  return options.every(isOfForm) && 'ZONEWRIGHT_TEST_REDIS_URL' in environment.variables;
}

function signalGroup(leader, signal) {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    // The process group has ended.
  }
}
