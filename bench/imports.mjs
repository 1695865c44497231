// `npm run bench:imports`: a file of 100,000 lines is read, previewed and imported, as a zone file and as JSON of Route 53. Meanwhile another tenant reads and creates records: how much longer do its requests take? IMPORT_LINES sets the length. Prints Markdown.
import { accounts } from './lib/packages.mjs';
import { cpuTimeOf } from './lib/cpu-time.mjs';
import { logIn } from './lib/tenant.mjs';
import { openConnections, requireOk } from './dns-api/http-client.mjs';
import { startPlatform } from './dns-api/platform.mjs';
import { createZones, recordBody } from './dns-api/zones.mjs';

const lines = Number(process.env.IMPORT_LINES || 100_000);
const IDLE_MS = 10_000;
const PAUSE_MS = 20;
const UNLIMITED = 100_000_000;

const platform = await startPlatform({
  isPinned: false,
  env: {
    DNS_API_MAX_IMPORT_BYTES: '67108864',
    DNS_API_MAX_WRITE_BYTES_PER_MINUTE: '100000000000',
  },
});
try {
  const neighbour = await openNeighbour();
  const idle = await neighbour.during(new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  console.log(
    `| ${lines} lines | Seconds | CPU of dns-api (s) | p99 of another tenant (ms) |\n|---|---|---|---|`,
  );
  console.log(`| nothing | | | ${percentile(idle)} |`);
  for (const [form, write] of Object.entries({ 'zone file': zoneFile, 'Route 53': route53 })) {
    const [zone] = await createZones(platform, 1);
    const text = write(zone.name);
    const path = `/v1/domains/${zone.id}/import`;
    await measure(neighbour, `${form}, read`, `/v1/domains/import/read?name=${zone.name}`, text);
    await measure(neighbour, `${form}, preview`, `${path}?dry_run=true`, text);
    await measure(neighbour, `${form}, import`, path, text);
  }
  neighbour.close();
} finally {
  await platform.stop();
}

async function measure(neighbour, title, path, body) {
  const started = performance.now();
  const cpuBefore = cpuTimeOf(platform.apiPid);
  const sending = fetch(new URL(path, platform.apiUrl), {
    method: 'POST',
    headers: { 'x-auth-token': platform.token, 'content-type': 'text/dns' },
    body,
  }).then(async (response) => {
    const answer = await response.json();
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const count = answer.created ?? answer.record_count;
    if (count !== lines) throw new Error(`${title}: ${JSON.stringify(answer).slice(0, 500)}`);
    return seconds;
  });
  const times = await neighbour.during(sending);
  const seconds = await sending;
  const cpu = ((cpuTimeOf(platform.apiPid) - cpuBefore) / 1_000_000).toFixed(1);
  console.log(`| ${title} | ${seconds} | ${cpu} | ${percentile(times)} |`);
}

/** A tenant that reads and creates records in turn, every 20 ms. */
async function openNeighbour() {
  const { db, identityUrl, apiUrl } = platform;
  const tenant = await accounts.createTenant(db, { name: 'neighbour', description: '' });
  const password = accounts.generatePassword();
  await accounts.createUser(db, { name: 'neighbour', password });
  await accounts.activateService(db, { tenant: tenant.id, service: 'DNS' });
  for (const role of ['member', 'dns-admin']) {
    await accounts.grantRole(db, { user: 'neighbour', role, tenant: tenant.id });
  }
  await db.raw(
    'insert into dns.quotas (tenant_id, max_domains, max_domain_records) values (?, ?, ?)',
    [tenant.id, UNLIMITED, UNLIMITED],
  );
  const passwordCredentials = { username: 'neighbour', password };
  const token = await logIn(identityUrl, { passwordCredentials, tenantId: tenant.id });
  const [zone] = await createZones({ apiUrl, token }, 1);
  const [connection] = await openConnections(apiUrl, 1);
  const path = `/v1/domains/${zone.id}`;
  let made = 0;
  const once = async () => {
    made += 1;
    const isRead = made % 2 === 0;
    const started = performance.now();
    const answer = isRead
      ? await connection.request('GET', path, { token })
      : await connection.request('POST', `${path}/records`, {
          token,
          body: recordBody(zone, made),
        });
    requireOk(answer);
    return performance.now() - started;
  };
  return {
    async during(work) {
      const times = [];
      let isOver = false;
      const end = work.then(
        () => (isOver = true),
        () => (isOver = true),
      );
      while (!isOver) {
        times.push(await once());
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      await end;
      return times;
    },
    close: () => connection.close(),
  };
}

function percentile(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)]?.toFixed(0) ?? '';
}

function zoneFile(name) {
  const records = Array.from(
    { length: lines },
    (_, n) => `h${n} 300 IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  );
  return `$ORIGIN ${name}\n${records.join('\n')}\n`;
}

function route53(name) {
  const sets = Array.from({ length: lines }, (_, n) => ({
    Name: `h${n}.${name}`,
    Type: 'A',
    TTL: 300,
    ResourceRecords: [{ Value: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` }],
  }));
  return JSON.stringify({ ResourceRecordSets: sets });
}
