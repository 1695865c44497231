// Records the statements of one Create Record by running its handler in this process.
import { URLSearchParams } from 'node:url';
import { database, dnsApiModule, serviceKit } from '../lib/packages.mjs';
import { recordBody } from './zones.mjs';

/** Resolves with { statements: [{ text, name, values }], zone, record }, which a loop needs to repeat them. */
export async function recordStatements({ apiEnvironment, tenantId }, zone) {
  const { RECORD_OPERATIONS } = await dnsApiModule('v1/records.js');
  const { DNS_API_SETTINGS } = await dnsApiModule('settings/settings.js');
  const settings = serviceKit.readSettings(DNS_API_SETTINGS, apiEnvironment);
  const db = database.openDatabase({
    url: settings.database.url,
    applicationName: 'bench',
    maxConnections: 1,
  });
  const statements = [];
  db.on('query', ({ sql, bindings, options }) => {
    // The service queries the features of the schema only once in the life of a process.
    if (sql.includes('to_regclass')) return;
    statements.push({ text: sql, name: options?.name, values: bindings ?? [] });
  });
  const create = RECORD_OPERATIONS.find(({ name }) => name === 'Create Record');
  const body = recordBody(zone, 'recorded');
  const reply = await create.handle(
    {
      settings,
      db,
      clock: serviceKit.systemClock,
      writes: { check: () => undefined, spend: () => undefined },
      metrics: { writtenOctets: { inc: () => undefined } },
      // The change runs in its own transaction: in a batch, its statements would depend on other changes.
      changes: {
        do: async (_place, change) => ({ kind: 'answered', reply: await change.changeAlone() }),
      },
    },
    {
      caller: { userId: 'bench', tenantId },
      source: 'api',
      header: () => undefined,
      requestId: 'req-00000000-0000-0000-0000-000000000000',
      method: 'POST',
      params: { domainId: zone.id },
      query: new URLSearchParams(),
      headers: {},
      body,
      baseUrl: 'http://127.0.0.1',
      turn: { checkAwaited: () => undefined },
    },
  );
  await db.destroy();
  return { statements, zoneId: zone.id, name: body.name, record: JSON.parse(reply.body) };
}
