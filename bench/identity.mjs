// `npm run bench:identity [-- PART ...]`: speed of the identity service compared with the minimum cost of the same responses. Prints Markdown tables, which docs/design/performance.md explains. BENCH_SECONDS and BENCH_ROUNDS set the length; BENCH_PROFILE=folder stores CPU profiles of the service there.
import { measureAccessKeys } from './identity/access-keys.mjs';
import { measurePasswords } from './identity/passwords.mjs';
import { startPlatform } from './identity/platform.mjs';
import { printReport } from './identity/report.mjs';
import { measureTokenLength } from './identity/token-length.mjs';
import { measureTraces } from './identity/traces.mjs';
import { measureRevoked, measureValidation } from './identity/validation.mjs';

const PARTS = {
  length: measureTokenLength,
  validation: measureValidation,
  'access-keys': measureAccessKeys,
  passwords: measurePasswords,
  traces: measureTraces,
  // This part is the last one, since a million revoked tokens remain.
  revoked: measureRevoked,
};

const wanted = process.argv.slice(2);
const length = {
  seconds: Number(process.env.BENCH_SECONDS || 3),
  rounds: Number(process.env.BENCH_ROUNDS || 7),
};
const platform = await startPlatform();
try {
  const tables = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.error(`measuring ${name} ...`);
    tables.push(...(await measure(platform, length)));
  }
  printReport(tables, length);
} finally {
  await platform.stop();
}
