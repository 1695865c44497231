// Program that measures the minimum cost of a response: Express with the routes of the API sends the same head and body
// for every GET.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const manifest = new URL('../../packages/http-api/package.json', import.meta.url);
const express = createRequire(manifest)('express');

let listener;
const server = createServer((request, response) => listener(request, response));

process.on('message', ({ text, headers, paths }) => {
  const body = Buffer.from(text);
  listener = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) listener.disable(setting);
  for (const path of paths) {
    listener.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), (_request, response) => {
      response.writeHead(200, headers).end(body);
    });
  }
  process.send({ answer: 'ready' });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}` });
});
