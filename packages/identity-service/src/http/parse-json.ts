import { invalidRequest } from '@zonewright/accounts';

/** Far deeper than any body of this API. */
export const MAX_DEPTH = 64;

/** @throws ServiceError (invalid) for anything that is not JSON, or nested too deeply. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidRequest(`the body is not JSON: ${(error as Error).message}`);
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw invalidRequest(`the body is nested more than ${MAX_DEPTH} levels deep`);
  }
  return value;
}

/** Without recursion: it is asked about things that may be too deep for it. */
function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((node): unknown[] =>
      typeof node === 'object' && node !== null ? Object.values(node) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
