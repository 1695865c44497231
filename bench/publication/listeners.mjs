// Separate process that listens to events over many connections: `node listeners.mjs URL TOKEN COUNT`. It prints
// "ready" when all are connected. On SIGTERM it prints JSON: for each changed name, the time when the last connection
// received it, and how many did.
import net from 'node:net';

const [url = '', token = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const FIELD = '"names":["';
const heard = new Map();
let listening = 0;
// The cost of these connections must not affect the measurement, so all share one buffer and it is not decoded.
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

// Connect in small groups, so that the queue of new connections does not overflow.
let opened = 0;
const timer = setInterval(() => {
  for (let n = 0; n < 20 && opened < Number(count); n++, opened++) listen();
  if (opened === Number(count)) clearInterval(timer);
}, 50);

process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify([...heard]), () => process.exit());
});
