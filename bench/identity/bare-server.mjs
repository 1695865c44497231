// Program that measures the minimum cost of a response: bare node:http sends the same head and body for every request,
// and reports its CPU time on request.
import { createServer } from 'node:http';

let headers = {};
let body = Buffer.alloc(0);

const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});

process.on('message', (message) => {
  if (message.answer !== undefined) {
    headers = message.answer.headers;
    body = Buffer.from(message.answer.text);
  }
  const { user, system } = process.cpuUsage();
  process.send({ cpuSeconds: (user + system) / 1e6 });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}` });
});
