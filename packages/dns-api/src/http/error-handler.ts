import type { NextFunction, Request, Response } from 'express';
import { endAnswer, hasUnreadBody } from '@zonewright/http-api';
import { Overload } from '@zonewright/service-kit';
import type { Context } from '../context.js';
import { toErrorAnswer } from '../errors.js';
import { traceOf } from './trace-request.js';

/** Express' error handler: the one place where a failure is answered and its cause logged. */
export function sendError(context: Context) {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    const { requestId, route } = traceOf(response);
    const { status, headers, body, isFault } = toErrorAnswer(error, requestId);
    if (isFault) context.log.error({ err: error, requestId, route }, 'request failed');
    // The gate has a line for all that it refuses.
    else if (status === 503 && !(error instanceof Overload))
      context.log.warn({ err: error, requestId, route }, 'cannot serve');
    if (response.headersSent) {
      // A list broke off while it was being sent: ending the connection is the only honest sign.
      next(error);
      return;
    }
    if (hasUnreadBody(request)) response.setHeader('Connection', 'close');
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
    endAnswer(request, response, bytes);
  };
}
