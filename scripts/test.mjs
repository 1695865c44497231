// `npm test [-- jest arguments]`: all tests, on a PostgreSQL and a Redis of their own, beside whatever else
// runs on this machine. DATABASE_URL and REDIS_URL replace them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { checkAnswers } from './check-answers.mjs';
import { ROOT, binary, build, ensureInstalled, requireOpenFiles } from './install.mjs';

requireOpenFiles();
ensureInstalled();
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

// Tests get what they ask for through these variables; the two URLs themselves would reach services
// under test, too.
const inherited = { ...process.env };
delete inherited.DATABASE_URL;
delete inherited.REDIS_URL;
const jest = spawn(process.execPath, [binary('jest'), ...process.argv.slice(2)], {
  cwd: ROOT,
  // A process group of its own, workers and what tests start included: jest does not pass a signal on.
  detached: true,
  stdio: 'inherit',
  env: { ...inherited, ...environment.variables },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signalGroup(jest.pid, signal));
const [code, signal] = await new Promise((resolve) => jest.on('exit', (...end) => resolve(end)));
const problems = code === 0 && isWhole(process.argv.slice(2)) ? checkAnswers(answersFolder()) : [];
for (const problem of problems) console.error(problem);
await environment.stop();
process.exit(code === 0 && problems.length > 0 ? 1 : (code ?? (signal === null ? 1 : 130)));

/** Where tests wrote down what was answered (packages/testkit/src/record-answers.ts). */
function answersFolder() {
  return join(environment.variables.ZONEWRIGHT_TEST_FOLDER, 'answers');
}

/** Whether all tests ran, on all that they need. */
function isWhole(options) {
  const isOfForm = (option) => /^--(json|outputFile|maxWorkers)/.test(option);
  return options.every(isOfForm) && 'ZONEWRIGHT_TEST_REDIS_URL' in environment.variables;
}

function signalGroup(leader, signal) {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    // All of it has ended.
  }
}
