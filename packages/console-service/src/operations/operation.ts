import type { Exchange, Operation as OperationOfAnyApi, Reply } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { RequestOrigin } from '../origin/origin.js';

/** Operation that the console's own pages may call. */
export interface Operation extends OperationOfAnyApi {
  readonly handle: (context: Context, exchange: Exchange, place: RequestOrigin) => Promise<Reply>;
}
