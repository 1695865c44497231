// `node scripts/document-metrics.mjs`: writes the tables of docs/reference/metrics.md from the /metrics of the services. With --check it only compares, and ends with 1 if they differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, build, ensureInstalled } from './install.mjs';

const isCheck = process.argv.includes('--check');
ensureInstalled();
if (!isCheck) build();
const { readSettings } = await import('../packages/service-kit/dist/index.js');
const identity = await import('../packages/identity-service/dist/index.js');
const dnsApi = await import('../packages/dns-api/dist/index.js');
const signer = await import('../packages/signer/dist/index.js');
const consoleService = await import('../packages/console-service/dist/index.js');
const nameserver = await import('../packages/nameserver/dist/index.js');

/**
 * Environment that is sufficient to start each service. The database is unreachable, which does not affect the list of
 * metrics.
 */
const ENVIRONMENT = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  SIGNER_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  SIGNER_SECRET: 'x'.repeat(32),
  DNS_API_SERVICE_ACCESS_KEY: 'A'.repeat(20),
  DNS_API_SERVICE_SECRET_KEY: 'x'.repeat(40),
  CONSOLE_SESSION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  LOG_LEVEL: 'silent',
  NAMESERVER_IMAGE_BYTES: String(2 ** 26),
  ...Object.fromEntries(
    ['IDENTITY', 'DNS_API', 'NAMESERVER', 'SIGNER', 'CONSOLE'].flatMap((name) => [
      [`${name}_HOST`, '127.0.0.1'],
      [`${name}_PORT`, '0'],
      [`${name}_OPERATIONS_PORT`, '0'],
    ]),
  ),
};
const SERVICES = {
  'identity-service': [identity.IdentityService, identity.IDENTITY_SERVICE_SETTINGS],
  'dns-api': [dnsApi.DnsApiService, dnsApi.DNS_API_SETTINGS],
  nameserver: [nameserver.NameserverService, nameserver.NAMESERVER_SETTINGS],
  signer: [signer.SignerService, signer.SIGNER_SETTINGS],
  'console-service': [consoleService.ConsoleService, consoleService.CONSOLE_SETTINGS],
};

async function readMetrics([Service, settings]) {
  const service = Service.create(readSettings(settings, ENVIRONMENT));
  const { operations } = await service.start();
  const text = await (await fetch(`${operations}/metrics`)).text();
  await service.stop();
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)/gm)]
    .filter(([, , help]) => !help.startsWith('Former name of '))
    .map(([, name, help, type]) => ({ name, type, help: help.replace(/\.$/, '') }));
}

const found = {};
for (const [name, service] of Object.entries(SERVICES)) found[name] = await readMetrics(service);
const counts = new Map();
for (const metrics of Object.values(found))
  for (const { name } of metrics) counts.set(name, (counts.get(name) ?? 0) + 1);
const isShared = ({ name }) => counts.get(name) === Object.keys(SERVICES).length;
const sections = {
  ...Object.fromEntries(
    Object.entries(found).map(([name, metrics]) => [
      name,
      metrics.filter((metric) => !isShared(metric)),
    ]),
  ),
  'every service': found.nameserver.filter(isShared),
};

/** Common metrics are explained once; names of Node.js and the process are self-explanatory. */
const explained = new Set();
function item({ name, type, help }) {
  const usual = name.endsWith('_total') ? 'counter' : 'gauge';
  const head = type === usual ? `\`${name}\`` : `\`${name}\` (${type})`;
  if (/^(?:nodejs|process)_/.test(name) || explained.has(help)) return { head };
  explained.add(help);
  return { head, help };
}

/** One line for each explained metric, and one for all others of a prefix. */
function list(items) {
  const others = new Map();
  for (const { head } of items.filter(({ help }) => help === undefined)) {
    const [prefix] = head.split('_');
    others.set(prefix, [...(others.get(prefix) ?? []), head]);
  }
  const lines = items
    .filter(({ help }) => help !== undefined)
    .map(({ head, help }) => `- ${head}: ${help}`);
  return [...lines, ...[...others.values()].map((heads) => `- ${heads.join(', ')}`)];
}

const file = join(ROOT, 'docs/reference/metrics.md');
const before = readFileSync(file, 'utf8');
let after = before;
for (const [name, metrics] of Object.entries(sections)) {
  const rows = list(metrics.toSorted((a, b) => a.name.localeCompare(b.name)).map(item));
  after = after.replace(
    new RegExp(`(<!-- metrics of ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`),
    (_all, start, end) => `${start}\n${rows.join('\n')}\n${end}`,
  );
}
if (after === before) {
  console.log('docs/reference/metrics.md has what the services show.');
} else if (isCheck) {
  console.error('docs/reference/metrics.md differs: run node scripts/document-metrics.mjs.');
  process.exitCode = 1;
} else {
  writeFileSync(file, after);
  console.log('Wrote docs/reference/metrics.md.');
}
