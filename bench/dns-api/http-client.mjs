// Minimal HTTP/1.1 client for the measured services, since its CPU time reduces theirs. It sends one request at a time
// on each connection, and supports only responses with Content-Length.
import { connect } from 'node:net';
import { once } from 'node:events';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

class HttpConnection {
  #socket;
  #host;
  #chunks = [];
  #received = 0;
  /** Length of the whole response. 0 while its head is incomplete. */
  #expected = 0;
  #status = 0;
  #headLength = 0;
  #settle;

  static async open(url) {
    const connection = new HttpConnection();
    connection.#host = url.host;
    connection.#socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    await once(connection.#socket, 'connect');
    connection.#socket.on('data', (chunk) => connection.#take(chunk));
    connection.#socket.on('close', () =>
      connection.#settle?.reject(new Error('connection closed')),
    );
    connection.#socket.on('error', (error) => connection.#settle?.reject(error));
    return connection;
  }

  /** Resolves with the status, and with functions that return head and body. */
  request(method, path, { token, body, headers = {} } = {}) {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nX-Auth-Token: ${token}\r\nAccept: application/json\r\n${more.join('')}` +
        (payload === ''
          ? '\r\n'
          : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`),
    );
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  close() {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === 0) this.#readHead();
    if (this.#expected === 0 || this.#received < this.#expected) return;
    const whole = this.#chunks;
    const headLength = this.#headLength;
    this.#chunks = [];
    this.#received = 0;
    this.#expected = 0;
    const settle = this.#settle;
    this.#settle = undefined;
    settle.resolve({
      status: this.#status,
      head: () => Buffer.concat(whole).subarray(0, headLength).toString('latin1'),
      text: () => Buffer.concat(whole).subarray(headLength).toString('utf8'),
    });
  }

  #readHead() {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const end = bytes.indexOf(END_OF_HEAD);
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end);
    this.#headLength = end + END_OF_HEAD.length;
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
    this.#expected = this.#headLength + Number(length);
  }
}

/** Opens connections. Each sends one request after the other. */
export async function openConnections(url, count) {
  return await Promise.all(Array.from({ length: count }, () => HttpConnection.open(url)));
}

/** Calls `send(connection, number of the connection)` repeatedly for the given time. Resolves with calls per second. */
export async function callsPerSecond(connections, seconds, send) {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let calls = 0;
  await Promise.all(
    connections.map(async (connection, at) => {
      while (performance.now() < end) {
        await send(connection, at);
        calls += 1;
      }
    }),
  );
  return (calls / (performance.now() - started)) * 1_000;
}

/** Fails on every other status, since a benchmark of error responses is useless. */
export function requireOk(answer, status = 200) {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.text()}`);
  return answer;
}
