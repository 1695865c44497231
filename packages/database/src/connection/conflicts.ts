import { errorCode, SQLSTATE, violatedConstraint } from './errors.js';
import { ServiceError } from '@zonewright/service-kit';

/**
 * Gives what `statement` gives; when it broke one of the named unique constraints, a conflict with that
 * constraint's sentence.
 *
 * @throws ServiceError conflict
 */
export async function orConflict<T>(
  statement: Promise<T>,
  sentences: Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    const sentence = sentences[violatedConstraint(error) ?? ''];
    if (errorCode(error) !== SQLSTATE.uniqueViolation || sentence === undefined) throw error;
    throw new ServiceError('conflict', sentence, { cause: error });
  }
}
