// Writes the large zone to a file and to a database, and its queries.
import { closeSync, existsSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { LARGE_ZONE } from '../dns/zones.mjs';

export { LARGE_ZONE };
const LINES_AT_ONCE = 10_000;
const QUESTIONS = 100_000;

/** Writes the zone without signatures. @returns the file */
export function writeUnsignedZone({ folder, names }) {
  const file = join(folder, `${LARGE_ZONE}.zone`);
  if (existsSync(file)) return file;
  const to = openSync(file, 'w');
  writeSync(
    to,
    `$ORIGIN ${LARGE_ZONE}.
@ 300 IN SOA ns1-1.ns.example. admin.${LARGE_ZONE}. 100 14400 3600 1209600 300
@ 300 IN NS ns1-1.ns.example.
`,
  );
  for (let from = 0; from < names; from += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, names - from);
    const lines = Array.from({ length: count }, (_, at) => `h${from + at} 300 IN A 192.0.2.1\n`);
    writeSync(to, lines.join(''));
  }
  closeSync(to);
  return file;
}

/** Signs the zone with dnssec-signzone, with one thread and one key. @returns the file, and the duration in seconds */
export function signZoneFile(world, { isVerified }) {
  const unsigned = writeUnsignedZone(world);
  const { folder } = world;
  const signed = join(folder, `${LARGE_ZONE}.signed`);
  const key = run('dnssec-keygen', [
    ...['-q', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', folder],
    LARGE_ZONE,
  ]).stdout.trim();
  // The shell reports the CPU time of its commands.
  const options = `-n 1 -z -S -K ${folder} -N keep -O full -d ${folder} ${isVerified ? '' : '-P'}`;
  const command = `TIMEFORMAT='%R %U %S'; time dnssec-signzone -q ${options} -o ${LARGE_ZONE} -f ${signed} ${unsigned}`;
  const { stderr } = run('bash', ['-c', command]);
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  run('bash', ['-c', `rm -f ${folder}/${key}.*`]);
  return { file: signed, wall, cpu: user + system };
}

export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (result.status !== 0) throw new Error(`${program}: ${result.error ?? result.stderr}`);
  return result;
}

export async function insertZone(db, names) {
  await db.raw(
    `insert into dns.nameserver_domain (name, email, serial) values ('ns.example.', 'a@ns.example', 1)`,
  );
  await db.raw(
    `insert into dns.servers (name, position, ipv4) values ('ns1-1.ns.example.', 1, '192.0.2.1')`,
  );
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     values ('bench', ?, 'admin@${LARGE_ZONE}', 300, 100, ?)`,
    [`${LARGE_ZONE}.`, names],
  );
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     select d.id, 'h' || n || '.' || d.name, 'A', '192.0.2.1', '\\xc0000201'::bytea, sha256('\\xc0000201'::bytea)
       from dns.domains as d, generate_series(0, ?::int - 1) as n`,
    [names],
  );
  await db.raw('vacuum analyze dns.records');
}

/** Writes queries for existing or missing names. */
export function writeQuestions({ folder, names }, kind) {
  const file = join(folder, `questions-${kind}`);
  let state = 20_261_123;
  const dice = (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
  const lines = Array.from({ length: QUESTIONS }, () => {
    const suffix = kind === 'found' ? '' : `x${dice(10_000)}`;
    return `h${dice(names)}${suffix}.${LARGE_ZONE} A\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}
