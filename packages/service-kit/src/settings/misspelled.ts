import { createLogger, type LogLevel } from '../logging/logger.js';
import { listSettings, type SettingsTree } from './read-settings.js';

/** Maximum number of missing, additional, wrong or swapped letters in a misspelled name. */
const MAX_EDITS = 2;
/** Minimum length of a name: many shorter names are similar to each other. */
const MIN_LENGTH = 8;

/** Unused environment variable, and the setting with a similar name. */
interface MisspelledName {
  readonly name: string;
  readonly meant: string;
}

/** Finds variables whose names are similar to settings. */
export function findMisspelled(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlySet<string>,
): MisspelledName[] {
  return Object.keys(env).flatMap((name) => {
    if (known.has(name) || name.length < MIN_LENGTH) return [];
    const meant = nearest(name, known);
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  let least = MAX_EDITS + 1;
  let found: string | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const edits = countEdits(name, candidate, least);
    if (edits < least) [least, found] = [edits, candidate];
  }
  return found;
}

/**
 * Returns the Levenshtein distance, up to `limit`. Most names differ after a few letters, and the start of the service
 * waits for the result.
 */
function countEdits(one: string, other: string, limit: number): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one) {
    const [corner = 0, ...above] = row;
    let left = corner + 1;
    let diagonal = corner;
    row = [left];
    for (const [at, up] of above.entries()) {
      left = Math.min(diagonal + Number(letter !== other[at]), up + 1, left + 1);
      diagonal = up;
      row.push(left);
    }
    if (row.every((edits) => edits >= limit)) return limit;
  }
  return row.at(-1) ?? 0;
}

/** Logs one warning for each variable whose name is similar to a setting of this service. */
export function reportMisspelled(
  service: string,
  level: LogLevel,
  settings: SettingsTree,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const known = new Set(
    listSettings(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]),
  );
  for (const { name, meant } of findMisspelled(env, known)) {
    createLogger(service, level).warn({ variable: name, meant }, 'this variable is not used');
  }
}
