// Checks after all tests whether each status in an OpenAPI document occurred in a test. The responses were compared
// with their schemas during the tests (packages/testkit/src/record-answers.ts), which recorded them in a folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Statuses that no test provokes, with the reason: API, operation and status. An entry without effect is an error, so
 * the list can only shrink.
 */
const EXPLAINED = [
  // Operations of Designate that this service does not have: always 403 or 404, before any limit. A description must
  // contain a success.
  [/^dns-api (abandonZone|moveZoneToPool) (200|429)$/],
  // Written directly to the connection, where no response is recorded. identity-service/test/documented-statuses
  // provokes each.
  [/^identity-service \w+ 408$/],
];

/** @returns the problems, one per line */
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
