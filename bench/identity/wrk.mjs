// Runs wrk as the client, which needs so little CPU time that one core is enough for any of the servers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onClientCore } from './pinning.mjs';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
const CONNECTIONS = 32;
/** Number of connections at a steady rate. The pause between requests is then a whole number of milliseconds. */
const STEADY_CONNECTIONS = 64;

if (spawnSync('wrk', ['--version']).error !== undefined) {
  throw new Error('The benchmark needs wrk (Debian and Ubuntu: apt-get install wrk).');
}

/** Raw requests in a file that wrk reads. */
export class Requests {
  #folder;
  #file;
  #turn = 0;

  static async prepare(requests) {
    const prepared = new Requests();
    prepared.#folder = await mkdtemp(join(tmpdir(), 'zonewright-bench-'));
    prepared.#file = join(prepared.#folder, 'requests');
    await writeFile(prepared.#file, requests.map(toWire).join('\0'));
    return prepared;
  }

  /**
   * Sends as many requests as the server can answer. `perCpuSecond` is their number per second of CPU time that the
   * server really got.
   */
  async flood({ url, cpuSeconds }, seconds) {
    const before = await cpuSeconds();
    const result = await this.#run(url, { seconds, connections: CONNECTIONS, pause: 0 });
    return { ...result, perCpuSecond: result.requests / ((await cpuSeconds()) - before) };
  }

  /** Sends about `rate` requests per second. */
  async steady({ url }, seconds, rate) {
    const pause = Math.max(1, Math.round((STEADY_CONNECTIONS / rate) * 1_000));
    return await this.#run(url, { seconds, connections: STEADY_CONNECTIONS, pause });
  }

  async remove() {
    await rm(this.#folder, { recursive: true });
  }

  async #run(url, { seconds, connections, pause }) {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', SCRIPT, url];
    const [command, ...args] = onClientCore([
      'wrk',
      ...options,
      '--',
      this.#file,
      pause,
      this.#turn,
    ]);
    const wrk = spawn(command, args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    wrk.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    await once(wrk, 'close');
    const line = /^RESULT (.*)$/m.exec(output)?.[1];
    if (line === undefined) throw new Error(`wrk said: ${output}`);
    const result = JSON.parse(line);
    if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
    this.#turn += result.requests;
    return { ...result, rate: result.requests / result.seconds };
  }
}

function toWire({ method, path, headers = {}, body = '' }) {
  const lines = Object.entries({ Host: 'localhost', Accept: 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
}
