// A process of its own that listens to events over many connections: `node listeners.mjs URL TOKEN COUNT`. Prints "ready" when all
// listen; then, on SIGTERM, JSON: for each name of a change, when the last connection had it, and how many had.
import net from 'node:net';

const [url = '', token = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const NAME = /"names":\["(r\d+)\./g;
const heard = new Map();
let listening = 0;

function listen() {
  const socket = net.connect(Number(port), hostname);
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth-Token: ${token}\r\n\r\n`);
  let isListening = false;
  socket.setEncoding('latin1').on('data', (text) => {
    const now = Date.now();
    if (!isListening && text.includes('id: ')) {
      isListening = true;
      listening += 1;
      if (listening === Number(count)) console.log('ready');
    }
    for (const [, name] of text.matchAll(NAME)) {
      const before = heard.get(name);
      heard.set(name, { at: now, connections: (before?.connections ?? 0) + 1 });
    }
  });
  socket.on('error', (error) => console.error(error.message));
}

// Fewer at a time than may wait for a connection.
let opened = 0;
const timer = setInterval(() => {
  for (let n = 0; n < 20 && opened < Number(count); n++, opened++) listen();
  if (opened === Number(count)) clearInterval(timer);
}, 50);

process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify([...heard]), () => process.exit());
});
