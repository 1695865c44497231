// `npm run test:faults [-- jest arguments]`: the failure tests in their long form, with the figures that stand in
// docs/faults.md. Their short form is part of `npm test`. ZONEWRIGHT_FAULT_SEED repeats a run. Ctrl-C ends it.
process.env.ZONEWRIGHT_FAULT_ROUNDS ??= '200';
process.argv.push(
  '--selectProjects',
  'e2e',
  '--maxWorkers=1',
  '--testPathPatterns',
  'kill-under-load|stores-fail|hostile-clients|clock-jump|full-disk|disk-full|rolling-upgrade|by-serial',
);
// In this very process, so that it ends when everything has.
await import('./test.mjs');
