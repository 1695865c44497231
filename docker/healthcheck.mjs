// HEALTHCHECK of the images, which have no curl: `node healthcheck.mjs VARIABLE` queries the operations port in that
// variable, and ends with 0 if the service is ready, otherwise with 1. Bare node:http starts faster than fetch, which
// matters if ten containers are checked every few seconds.
import { get } from 'node:http';

const port = process.env[process.argv[2]];
/** Time limit. It is within that of the Dockerfiles, including the start of Node.js on a busy machine. */
const TIMEOUT_MS = 5_000;

function end(text, isReady) {
  console.log(text);
  process.exit(isReady ? 0 : 1);
}

get({ host: '127.0.0.1', port, path: '/readyz', timeout: TIMEOUT_MS }, (response) => {
  let body = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => (body += chunk));
  response.on('end', () => end(body, response.statusCode === 200));
})
  .on('timeout', () => end(`no answer within ${TIMEOUT_MS} ms`, false))
  .on('error', (error) => end(error.message || error.code, false));
