// `npm run test:attacks [-- jest arguments]`: the tests of packages/e2e/test/attacks in their long form, with the figures
// that stand in docs/faults.md. Their short form is part of `npm test`. ZONEWRIGHT_ATTACK_MINUTES sets how long all attacks
// go on at once; ZONEWRIGHT_FAULT_SEED repeats a run. Ctrl-C ends it.
process.env.ZONEWRIGHT_ATTACK_MINUTES ??= '10';
process.argv.push(
  '--selectProjects',
  'e2e',
  '--maxWorkers=1',
  '--testPathPatterns',
  'test/attacks/',
);
// In this very process, so that it ends when everything has.
await import('./test.mjs');
