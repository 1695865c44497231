// A service for run-service.test.ts. Its argument selects its behaviour; it writes its events to stdout.
import { integer, readSettings, runService, url } from '@zonewright/service-kit';

const behaviour = process.argv[2];
const never = new Promise(() => undefined);
const say = (line) => process.stdout.write(`${line}\n`);

class Service {
  // The timer represents the sockets of a service: the process continues as long as it exists.
  #running = setInterval(() => undefined, 60_000);

  async start() {
    say('starting');
    if (behaviour === 'start-fails') throw new Error('no postgres://u:hunter2@h/d');
    if (behaviour === 'start-broken-by-stop') {
      await new Promise((_, reject) => (this.breakStart = reject));
    }
    return { http: 'http://127.0.0.1:1' };
  }

  async stop() {
    say('stopping');
    this.breakStart?.(new Error('the socket was closed'));
    if (behaviour === 'stop-fails') throw new Error('cannot stop');
    if (behaviour === 'stop-hangs') await never;
    clearInterval(this.#running);
    say('stopped');
  }
}

const SETTINGS = {
  database: url('DATABASE_URL', ['postgres'], { help: 'Where PostgreSQL is.' }),
  port: integer('API_PORT', { default: 1, help: 'The port.' }),
};

await runService('a-service', async () => {
  if (behaviour === 'settings') readSettings(SETTINGS, { API_PORT: 'hunter' });
  if (behaviour === 'create-fails') throw new Error('cannot create');
  if (behaviour === 'parent-ends-early') {
    say('creating');
    while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return new Service();
});
