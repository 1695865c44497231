// `npm run test:faults`: the failure tests in their long form, with the figures that stand in docs/faults.md. Their
// short form is part of `npm test`. ZONEWRIGHT_FAULT_SEED repeats a run.
import { run } from './install.mjs';

process.env.ZONEWRIGHT_FAULT_ROUNDS ??= '200';
run(process.execPath, [
  'scripts/test.mjs',
  '--selectProjects',
  'e2e',
  '--maxWorkers=1',
  '--testPathPatterns',
  'kill-under-load|stores-fail|hostile-clients',
]);
