import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NameserverProcess } from '../support/nameserver-process.js';
import { RunningPlatform } from '../support/running-platform.js';
import { Person, PROGRAM } from './command.js';

describe('commands that look again', () => {
  let platform: RunningPlatform;
  let second: NameserverProcess;
  let person: Person;
  let running: Running | undefined;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    second = new NameserverProcess(platform, 'ns1-2');
    await second.start();
    person = await Person.create();
    const env = { DEMO_ENV: `${platform.dataFolder}/demo.env` };
    expect(await person.type('zonewright login --env-file "$DEMO_ENV" --quiet', env)).toBe('');
    expect(await person.type('zonewright domain add watched.example --quiet')).toBe('');
    // Both nameservers answer with the change: the second one is running.
    const both = async () => (await person.type('zonewright publish watched.example')).split('✔');
    await waitFor(async () => (await both()).length === 3, 60_000);
  }, 150_000);
  afterEach(() => running?.kill());
  afterAll(async () => {
    await second.kill();
    await platform.remove();
    await person.leave();
  });

  it('check reports changes until all checks pass', async () => {
    second.signal('SIGSTOP');
    await person.type('zonewright record add watched.example www A 192.0.2.1 --no-wait --quiet');
    running = new Running(person, ['check', 'watched.example', '--watch', '1']);
    await running.shows(/^✘ ns1-2\.\S+ .*has not published the change yet$/m);
    second.signal('SIGCONT');
    expect(await running.end()).toBe(0);
    expect(running.screen).toMatch(/^- ✘ ns1-2\.\S+ .*has not published the change yet$/m);
    expect(running.screen).toMatch(/^\+ ✔ ns1-2\.\S+ .*answers with serial \d+/m);
    // An unchanged state is printed once.
    expect(running.screen.match(/^watched\.example\. serial/gm)).toHaveLength(1);
  }, 90_000);

  it('dyndns sets the address when it has changed, also after its source was unavailable', async () => {
    let address: string | undefined = '192.0.2.10';
    let asked = 0;
    const source = createServer((_request, response) => {
      asked += 1;
      if (address === undefined) response.writeHead(200).end('<html>');
      else response.writeHead(200).end(`${address}\n`);
    });
    const from = await listen(source);
    try {
      running = new Running(person, [
        ...['dyndns', 'home.watched.example', '--from', from, '--watch', '1', '--no-wait'],
      ]);
      await running.shows(/^Address records set: home\.watched\.example\. 192\.0\.2\.10$/m);
      const before = asked;
      await waitFor(() => asked >= before + 2);
      address = undefined;
      await running.shows(/does not contain an address; retrying/);
      address = '192.0.2.11';
      await running.shows(/^Address records set: home\.watched\.example\. 192\.0\.2\.11$/m);
      expect(running.screen.match(/^(Address records set|No change)/gm)).toHaveLength(2);
      expect(await person.type('zonewright record list watched.example --name home')).toContain(
        '192.0.2.11',
      );
      running.interrupt();
      expect(await running.end()).toBe(130);
      expect(running.screen).toContain('Interrupted. Done: home.watched.example.');
    } finally {
      source.close();
      source.closeAllConnections();
    }
  }, 90_000);
});

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Command that runs while others are typed. */
class Running {
  screen = '';
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;

  constructor({ home }: Person, args: readonly string[]) {
    this.#child = spawn(process.execPath, [PROGRAM, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home },
    });
    this.#closed = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.screen += chunk.toString()));
    }
  }

  async shows(pattern: RegExp): Promise<void> {
    await waitFor(() => pattern.test(this.screen), 30_000);
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async end(): Promise<number | null> {
    const [code] = (await this.#closed) as [number | null];
    return code;
  }
}
