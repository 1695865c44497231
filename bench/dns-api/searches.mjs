// Measures searches over all domains of a tenant with a million records: the first one, which reads every record, then
// texts without results and texts with some, and again after a hundred domains have changed.
import { latency } from './latency.mjs';
import { openConnections, requireOk } from './http-client.mjs';

const DOMAINS = Number(process.env.BENCH_SEARCH_DOMAINS ?? 10_000);
const RECORDS = 100;
const SEARCHES = Number(process.env.BENCH_SEARCHES ?? 100);
const CHANGED = 100;

export async function measureSearches(platform) {
  const { apiUrl, token, db, tenantId } = platform;
  await fill(db, tenantId);
  const [connection] = await openConnections(apiUrl, 1);
  let pages = 0;
  const search = async (text) => {
    const times = [];
    for (let path = `/v1/search?q=${encodeURIComponent(text)}`; path !== undefined;) {
      const startedAt = performance.now();
      const answer = requireOk(await connection.request('GET', path, { token }));
      times.push(performance.now() - startedAt);
      const [, next] = /\r\nlink: <([^>]+)>/i.exec(answer.head()) ?? [];
      const url = next && new URL(next);
      path = url && url.pathname + url.search;
    }
    pages += times.length;
    return times;
  };
  const searchAll = async (title, textOf) => {
    const times = [];
    pages = 0;
    for (let n = 0; n < SEARCHES; n += 1) {
      const all = await search(textOf(n));
      times.push(all.reduce((sum, each) => sum + each, 0));
    }
    return latency(`${title} (${(pages / SEARCHES).toFixed(1)} answers a search)`, times);
  };
  // For a text that occurs everywhere, only the first page is read.
  const firstPages = [];
  try {
    const first = await search('nobody-has-this');
    const results = [latency('Search, each answer of the first one', first)];
    results.push(await searchAll('Search for a name that nobody has', (n) => `nothing-${n}-here`));
    results.push(await searchAll('Search for an address that nobody has', (n) => `203.0.113.${n}`));
    results.push(await searchAll('Search for three letters that nobody has', (n) => `q${n % 10}q`));
    results.push(
      await searchAll('Search for the name of one record', (n) => `host-7.zone-${n * 50}.`),
    );
    for (let n = 0; n < SEARCHES; n += 1) {
      const startedAt = performance.now();
      requireOk(await connection.request('GET', `/v1/search?q=host-${n % 100}`, { token }));
      firstPages.push(performance.now() - startedAt);
    }
    results.push(latency('Search, a page of 100 of what every domain has', firstPages));
    await db.raw(
      `update dns.domains as d set serial = d.serial + 1
        where d.id in (select d.id from dns.domains as d where d.tenant_id = ? order by md5(d.name) limit ?)`,
      [tenantId, CHANGED],
    );
    results.push(
      await searchAll(
        `The same as the second, ${CHANGED} domains changed before`,
        (n) => `nothing-${n}-here`,
      ),
    );
    return results;
  } finally {
    connection.close();
  }
}

async function fill(db, tenantId) {
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     select ?, 'zone-' || n || '.example.net.', 'hostmaster@example.net', 3600, 1, ? from generate_series(1, ?::integer) as n`,
    [tenantId, RECORDS, DOMAINS],
  );
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl)
     select d.id, 'host-' || n || '.' || d.name, case when n % 3 = 0 then 'TXT' else 'A' end,
            case when n % 3 = 0 then '"' || md5(d.name || n) || '"'
                 else host('10.0.0.0'::inet + abs(hashtext(d.name || n)) % 16000000) end,
            int4send(n), sha256(int4send(n)), 3600
       from dns.domains as d, generate_series(1, ?::integer) as n where d.tenant_id = ? and d.name like 'zone-%.example.net.'`,
    [RECORDS, tenantId],
  );
  await db.raw('vacuum analyze dns.domains');
  await db.raw('vacuum analyze dns.records');
}
