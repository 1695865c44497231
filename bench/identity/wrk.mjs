// The client: wrk, which costs so little that it keeps up with any of the servers from one core.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onClientCore } from './pinning.mjs';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));
const CONNECTIONS = 32;
/** Enough for any half load with pauses long enough to be a whole number of milliseconds. */
const STEADY_CONNECTIONS = 64;

if (spawnSync('wrk', ['--version']).error !== undefined) {
  throw new Error('The benchmark needs wrk (Debian and Ubuntu: apt-get install wrk).');
}

/** Requests as they go over the wire, in a file that wrk reads. */
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

  /** As many as the server answers; `perCpuSecond` is what it answers for each second of CPU that it really got. */
  async flood({ url, cpuSeconds }, seconds) {
    const before = await cpuSeconds();
    const result = await this.#run(url, { seconds, connections: CONNECTIONS, pause: 0 });
    return { ...result, perCpuSecond: result.requests / ((await cpuSeconds()) - before) };
  }

  /** About `rate` a second. */
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
