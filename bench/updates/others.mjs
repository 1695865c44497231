// Runs Knot, BIND and PowerDNS with one zone of A records that can be updated with a key. Their journals are on disk.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPowerdns, startPowerdns } from '../dns-api/powerdns.mjs';
import { serviceKit } from '../lib/packages.mjs';
import { bindConfig, knotConfig } from '../lib/server-configs.mjs';
import { open, update } from './client.mjs';

const ZONE = 'bench.test.';
const KEY = { name: 'bench.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
const SECRET = KEY.secret.toString('base64');

/** `remotes` and `zone`: more lines. With 0 records it is a secondary, whose zone is transferred. */
export async function startKnot(
  _platform,
  size,
  { name = ZONE, key = KEY, remotes = '', zone = '', port } = {},
) {
  return await start('Knot', 'knotd', size, port, (folder, at) => [
    ['-c', join(folder, 'config')],
    knotConfig(
      { folder, port: at },
      {
        database: '  journal-db-mode: robust',
        rest: `key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret.toString('base64')}
acl:
  - id: bench
    key: ${key.name}
    action: [update, transfer, notify]
${remotes}
zone:
  - domain: ${name}
    file: ${folder}/zone
    zonefile-sync: -1
    acl: bench
${zone}`,
      },
    ),
  ]);
}

export async function startBind(_platform, size) {
  return await start('BIND', 'named', size, undefined, (folder, at) => [
    ['-f', '-n', '1', '-c', join(folder, 'config')],
    bindConfig(
      { folder, port: at },
      {
        rest: `key "bench" { algorithm hmac-sha256; secret "${SECRET}"; };
zone "${ZONE}" { type primary; file "zone"; allow-update { key bench; }; allow-transfer { key bench; }; };`,
      },
    ),
  ]);
}

async function start(title, program, size, given, configure) {
  const { error, stdout, stderr } = spawnSync(program, [title === 'BIND' ? '-v' : '-V']);
  if (error !== undefined) {
    console.error(`SKIPPED: ${program} is not installed`);
    return undefined;
  }
  const [version] = /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`) ?? [''];
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
  const port = given ?? (await serviceKit.freePort());
  const [args, config] = configure(folder, port);
  writeFileSync(join(folder, 'config'), config);
  if (size > 0) writeFileSync(join(folder, 'zone'), zoneText(size));
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const stop = async () => {
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const server = {
    version: `${title} ${version}`,
    zone: ZONE,
    key: KEY,
    port,
    pids: [child.pid],
    stop,
  };
  if (size > 0) await untilItUpdates(server, child);
  return server;
}

export async function startPowerdnsUpdates(platform, size) {
  if (!hasPowerdns()) return undefined;
  const powerdns = await startPowerdns(platform, {
    prepare: (db) => fill(db, size),
    dnsupdate: 'yes',
    'allow-dnsupdate-from': '127.0.0.0/8',
  });
  const server = {
    ...powerdns,
    version: `${powerdns.version}, backend gpgsql`,
    zone: ZONE,
    key: KEY,
    port: powerdns.dnsPort,
    pids: [powerdns.pid],
  };
  await untilItUpdates(server);
  return server;
}

async function fill(db, size) {
  const name = ZONE.slice(0, -1);
  await db.raw("insert into domains (id, name, type) values (1, ?, 'NATIVE')", [name]);
  await db.raw(
    `insert into records (domain_id, name, type, content, ttl, auth, disabled)
     select 1, 'h' || n || '.' || ?::text, 'A', host('10.0.0.0'::inet + n), 300, true, false from generate_series(1, ?::integer) as n
     union all select 1, ?, 'SOA', 'ns1.example admin.example 1 3600 600 86400 300', 3600, true, false
     union all select 1, ?, 'NS', 'ns1.example', 3600, true, false`,
    [name, size, name, name],
  );
  await db.raw(
    "insert into tsigkeys (name, algorithm, secret) values ('bench', 'hmac-sha256', ?)",
    [SECRET],
  );
  await db.raw(
    "insert into domainmetadata (domain_id, kind, content) values (1, 'TSIG-ALLOW-DNSUPDATE', 'bench')",
  );
  await db.raw('analyze');
}

function zoneText(size) {
  const lines = [
    `$ORIGIN ${ZONE}`,
    '@ 3600 IN SOA ns1.example. admin.example. 1 3600 600 86400 300',
  ];
  lines.push('@ 3600 IN NS ns1.example.');
  for (let i = 0; i < size; i++) {
    lines.push(`h${i} 300 IN A 10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`);
  }
  return `${lines.join('\n')}\n`;
}

async function untilItUpdates({ port, zone, key, version }, child) {
  for (let attempt = 0; attempt < 300 && (child?.exitCode ?? null) === null; attempt++) {
    try {
      const client = await open(port);
      await update(client, zone, key);
      client.close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`${version} does not update.`);
}
