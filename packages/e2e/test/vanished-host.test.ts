import { afterAll, expect, it } from '@jest/globals';
import {
  describeWithPrivatePostgres,
  type PrivateHost,
  PrivateNetwork,
  PrivatePostgres,
} from '@zonewright/testkit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Time limit: less than the idle time of a transaction (30 s), and more than the 8 s in which a vanished host is
 * detected.
 */
const WITHIN = '12s';

/** Program that locks the row in a transaction that never ends. */
const HOLDER = `
  import { openDatabase } from '${new URL('../../database/dist/index.js', import.meta.url).href}';
  const db = openDatabase({ url: process.argv[1], applicationName: 'holder', maxConnections: 1 });
  await db.transaction(async (trx) => {
    await trx.raw('select * from zones for update');
    console.log('held');
    await new Promise(() => setInterval(() => undefined, 1_000));
  });`;

describeWithPrivatePostgres('the locks of a program (docs/design/faults.md)', () => {
  let server: PrivatePostgres | undefined;
  let network: PrivateNetwork | undefined;

  afterAll(async () => {
    await network?.stop();
    await server?.stop();
  });

  const isPossible = PrivateNetwork.isPossible();
  if (!isPossible) process.stderr.write('SKIPPED (no network namespaces): a host that vanishes\n');
  const itWithHosts = isPossible ? it : it.skip;
  itWithHosts('is free again soon after its host has vanished', async () => {
    const running = (server = await PrivatePostgres.start([`listen_addresses = '*'`]));
    network = await PrivateNetwork.start(1);
    await appendFile(
      join(running.dataFolder, 'pg_hba.conf'),
      'host all all samenet scram-sha-256\n',
    );
    await running.query('select pg_reload_conf()');
    await running.query('create table zones as select 1 as serial');
    const [host] = network.hosts as [PrivateHost];
    const url = running.url.replace('127.0.0.1', network.address);
    const args = ['--input-type=module', '--eval', HOLDER, url];
    const [command, ...rest] = host.inside(process.execPath, args);
    const holder = spawn(command, rest, {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');

    host.cut();
    host.signal('SIGKILL');
    await running.query(`set lock_timeout = '${WITHIN}'; update zones set serial = 2`);
    const [changed] = await running.query<{ serial: number }>('select serial from zones');
    expect(changed.serial).toBe(2);
  });
});
