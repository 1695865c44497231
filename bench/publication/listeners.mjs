// A process of its own that listens to events over many connections: `node listeners.mjs URL TOKEN COUNT`. Prints "ready" when all
// listen; then, on SIGTERM, JSON: for each name of a change, when the last connection had it, and how many had.
import net from 'node:net';

const [url = '', token = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const FIELD = '"names":["';
const heard = new Map();
let listening = 0;
// What these connections themselves cost is not what is measured: one room for all, and no text is made of it.
const room = Buffer.allocUnsafe(65_536);

function listen() {
  let isListening = false;
  const callback = (length) => {
    const octets = room.subarray(0, length);
    if (!isListening && octets.includes('id: ')) {
      isListening = true;
      listening += 1;
      if (listening === Number(count)) console.log('ready');
    }
    hear(octets, Date.now());
    return true;
  };
  const socket = net.connect({
    port: Number(port),
    host: hostname,
    onread: { buffer: room, callback },
  });
  socket.write(`GET /v1/events HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth-Token: ${token}\r\n\r\n`);
  socket.on('error', (error) => console.error(error.message));
}

function hear(octets, at) {
  for (let found = octets.indexOf(FIELD); found !== -1; found = octets.indexOf(FIELD, found + 1)) {
    const begin = found + FIELD.length;
    const name = octets.latin1Slice(begin, octets.indexOf('.', begin));
    heard.set(name, { at, connections: (heard.get(name)?.connections ?? 0) + 1 });
  }
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
