// After all tests: whether each status that an OpenAPI document has was answered to some test. The answers themselves were compared
// with their schemas while the tests ran (packages/testkit/src/record-answers.ts), which left a record in a folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What no test provokes, and why: API, operation and status. An entry that explains nothing is a fault, so the list can only shrink. */
const EXPLAINED = [
  // What Designate does and this service does not: always 403 or 404, before anything is counted. A description has to have a success.
  [/^dns-api (abandonZone|moveZoneToPool) (200|429)$/],
  // Written to the connection itself, where no answer is recorded; identity-service/test/documented-statuses provokes each.
  [/^identity-service \w+ 408$/],
];

/** @returns what is wrong, a line each. */
export function checkAnswers(folder) {
  const documented = new Set();
  const given = new Set();
  for (const file of readdirSync(folder)) {
    const record = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const answer of record.documented) documented.add(`${record.api} ${answer}`);
    for (const answer of record.given) given.add(`${record.api} ${answer}`);
  }
  const missing = [...documented].filter((answer) => !given.has(answer)).sort();
  const idle = EXPLAINED.filter(([pattern]) => !missing.some((answer) => pattern.test(answer)));
  const unexplained = missing.filter((answer) => !EXPLAINED.some(([known]) => known.test(answer)));
  console.log(
    `${documented.size} documented answers: ${documented.size - missing.length} given to tests, ${missing.length - unexplained.length} explained, ${unexplained.length} missing.`,
  );
  return [
    ...unexplained.map((answer) => `No test has provoked: ${answer}`),
    ...idle.map(
      ([pattern]) => `Explained although tests provoke it, or nobody documents it: ${pattern}`,
    ),
  ];
}
