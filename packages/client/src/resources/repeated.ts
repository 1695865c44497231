import type { Answer } from '../call/answer.js';
import { ApiError } from '../http/errors.js';

/** A deletion that was repeated, since its first answer was lost, finds nothing any more: it is done. */
export async function deleteOnce(deletion: Promise<Answer<undefined>>): Promise<Answer<undefined>> {
  try {
    return await deletion;
  } catch (error) {
    if (!isOfRepetition(error, 404)) throw error;
    return {
      value: undefined,
      etag: undefined,
      serial: undefined,
      publication: undefined,
      total: undefined,
      requestId: error.requestId,
    };
  }
}

/** Whether a refusal may come from what the very same call has done in an attempt whose answer was lost. */
export function isOfRepetition(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status && error.isAfterUnknown;
}
