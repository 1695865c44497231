// The process in which scripts/mutate.mjs runs test files, one at a time and many times: jest starts only once, because
// its start takes longer than a pure test. A request is `{ test, mutant }`, the answer `{ failed, covered }`.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire, register } from 'node:module';
import { runCLI } from 'jest';

const ROOT = new URL('../..', import.meta.url);
const chosen = process.env.ZONEWRIGHT_MUTANT;
// The runtime is loaded first, so that the hooks of this file run before those of the runtime.
createRequire(import.meta.url)('../jest/runtime.cjs');
register('./hooks.mjs', import.meta.url, { data: chosen });
const session = new Session();
session.connect();
await session.post('Profiler.enable');

process.on('message', async ({ test, mutant }) => {
  writeFileSync(chosen, JSON.stringify(mutant ?? {}));
  // Coverage is measured only in the run without a fault; it shows which tests can notice one.
  if (mutant === undefined)
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const argv = { _: [test], runTestsByPath: true, runInBand: true, reporters: [], silent: true };
  const { results } = await runCLI({ ...argv, ci: true, bail: 0 }, [new URL(ROOT).pathname]);
  const covered = mutant === undefined ? await readCoverage() : undefined;
  const messages = results.testResults.map(({ failureMessage }) => failureMessage ?? '');
  process.send({ failed: !results.success, message: messages.join('').slice(0, 2_000), covered });
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });

/** Returns the ranges of each source that ran or did not run, the outer before the inner ones. */
async function readCoverage() {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const ofSources = result.filter(({ url }) => /\/packages\/[^/]+\/src\/.*\.ts\?file/.test(url));
  return ofSources.map(({ url, functions }) => ({
    path: new URL(url).pathname,
    ranges: functions.flatMap(({ ranges }) => ranges),
  }));
}
