import { invalidRequest, MAX_PROBLEMS, type Problem } from '@zonewright/service-kit';
import type { Operation } from './operation.js';
import { readQueryText } from './parameters.js';

/** Parameter of every write: the response shows the result, and nothing is changed. */
export const DRY_RUN = 'dry_run';
/** Header of a dry run's response. Without it, the response to a deletion would look real. */
export const DRY_RUN_HEADER = 'X-Zonewright-Dry-Run';

/** Operations without dry runs: nameservers need none, and external protocols do not define any. */
const WITHOUT_DRY_RUN: readonly Operation['access'][] = ['nameserver', 'key'];

function writeParametersOf({ access, onlyReads, query = {} }: Operation): readonly string[] {
  const hasDryRun = onlyReads !== true && !WITHOUT_DRY_RUN.includes(access);
  return [...(hasDryRun ? [DRY_RUN] : []), ...Object.keys(query)];
}

/**
 * Returns the query of a request. A list ignores unknown parameters (D-REQ-7). A write refuses them: a misspelt `dry_run` would make
 * the change.
 *
 * @throws ServiceError `invalid` for a parameter of a write that is unknown or given twice
 */
export function readQuery(operation: Operation, target: string): URLSearchParams {
  const query = readQueryText(target.split('?')[1] ?? '');
  if (operation.method === 'GET') return query;
  const problems = findProblems(query, writeParametersOf(operation));
  if (problems.length > 0) throw invalidRequest(problems, 'parameter');
  return query;
}

function findProblems(query: URLSearchParams, known: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const name of query.keys()) {
    const quoted = JSON.stringify(name);
    if (!known.includes(name)) {
      const right =
        known.length === 0 ? 'It has no parameters.' : `Parameters: ${known.join(', ')}.`;
      const message = `${quoted} is not a parameter of this operation. ${right}`;
      problems.push({ path: name, validator: 'additionalProperties', message });
    } else if (seen.has(name)) {
      const message = `${quoted} is given twice. Give it once.`;
      problems.push({ path: name, validator: 'unique', message });
    }
    seen.add(name);
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems;
}

/** Longest wait. Larger values are reduced to it. */
const MAX_WAIT_SECONDS = 10;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
/** Element of a comma-separated list with quoted strings. An unterminated string extends to the end. */
const ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
/** A preference with its value. Its parameters are ignored. */
const PREFERENCE = new RegExp(`^\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|${QUOTED})\\s*(?:;.*)?$`, 's');

/**
 * Returns the longest wait of a client in milliseconds (RFC 7240 s2, s4.3: `Prefer: wait=5`). Undefined if the header
 * has none. The first `wait` counts. Unknown preferences are ignored, as the RFC requires.
 */
export function readPreferredWaitMs(header: string | undefined): number | undefined {
  for (const element of header?.match(ELEMENT) ?? []) {
    if (!/^\s*wait\s*(?:[=;]|$)/i.test(element)) continue;
    const value = PREFERENCE.exec(element)?.[2]?.replaceAll(/^"|"$/g, '') ?? '';
    const seconds = /^\d{1,16}$/.test(value) ? Number(value) : 0;
    return seconds === 0 ? undefined : Math.min(seconds, MAX_WAIT_SECONDS) * 1_000;
  }
  return undefined;
}
