// Measures Authenticate by access key, with new keys and with the same key repeatedly.
import { summarize } from '../lib/rounds.mjs';
import { database } from '../lib/packages.mjs';
import { HIGH_LIMITS } from './platform.mjs';
import { range, whole } from './report.mjs';
import { Requests } from './wrk.mjs';

/** Number of keys. It exceeds the service's cache (20,000), so that each key is new to it when it is used in turn. */
const KEYS = 25_000;
const SECRET = 'S'.repeat(40);

export async function measureAccessKeys(platform, { seconds, rounds }) {
  const ids = await insertAccessKeys(platform);
  const toRequest = (accessKey) => ({
    method: 'POST',
    path: '/v2.0/tokens',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      auth: {
        apiAccessKeyCredentials: { accessKey, secretKey: SECRET },
        tenantId: platform.tenantId,
      },
    }),
  });
  const service = await platform.startService(HIGH_LIMITS);
  const fresh = await Requests.prepare(ids.map(toRequest));
  const repeated = await Requests.prepare([toRequest(ids[0])]);
  const rates = { fresh: [], repeated: [] };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const first = await fresh.flood(service, seconds);
      const again = await repeated.flood(service, seconds);
      if (round === 0) continue;
      rates.fresh.push(first);
      rates.repeated.push(again);
    }
  } finally {
    await fresh.remove();
    await repeated.remove();
    await service.stop();
  }
  return [
    {
      titles: [
        'Authenticate by access key, scoped',
        'a second, median (min-max)',
        'for each second of CPU',
        'goal',
      ],
      rows: [
        rowOf('each key for the first time', rates.fresh),
        rowOf('the same key again', rates.repeated),
      ],
    },
  ];
}

function rowOf(title, results) {
  const rates = summarize(results.map(({ rate }) => rate));
  const cpu = summarize(results.map(({ perCpuSecond }) => perCpuSecond));
  return [title, range(rates, whole), range(cpu, whole), '>= 2,500'];
}

async function insertAccessKeys({ db, keyring, user }) {
  const ids = Array.from(
    { length: KEYS },
    (_, number) => `BENCH${String(number).padStart(15, '0')}`,
  );
  const sealed = ids.map((id) =>
    keyring.seal(Buffer.from(SECRET), database.secretIdentity.accessKey(id)),
  );
  await db.raw(
    `insert into identity.access_keys (id, user_id, account_domain_id, algorithm, key_length, secret_sealed,
       secret_key_id, status, valid_from, valid_to, created_at)
     select keys.id, users.id, users.account_domain_id, 'HmacSHA256', 240, decode(keys.sealed, 'base64'), ?, 'active',
       now() - interval '1 day', now() + interval '1 day', now() - interval '1 day'
     from unnest(?::text[], ?::text[]) as keys (id, sealed), identity.users as users where users.id = ?`,
    [sealed[0].keyId, ids, sealed.map((each) => each.sealed.toString('base64')), user.id],
  );
  return ids;
}
