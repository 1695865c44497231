// A program: the least that an answer costs. Bare node:http that sends the same head and body to every request.
import { createServer } from 'node:http';

let headers = {};
let body = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});

process.on('message', ({ text, ...rest }) => {
  headers = rest.headers;
  body = Buffer.from(text);
  process.send({ answer: 'ready' });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}` });
});
