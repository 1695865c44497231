import type { RequestListener } from 'node:http';
import express from 'express';

/** Told when nothing that is mounted has answered a request, or that it has failed. */
type Next = (error?: unknown) => void;

/**
 * The Express application of an API: what goes beside its operations, such as pages, is mounted here. Requests for operations go past
 * it: it gives request and response other prototypes, which doubles what all of node:http costs for them.
 */
export function createApp(): (...request: [...Parameters<RequestListener>, Next]) => void {
  const app = express();
  app.disable('x-powered-by');
  // Objects have an ETag of their own (decisions 3); one of the octets would contradict it.
  app.disable('etag');
  // Each API reads its queries itself, and refuses what it does not know.
  app.disable('query parser');
  return app;
}
