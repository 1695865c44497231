import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { OPERATIONS } from '../src/operations.js';
import { createDomain, createRecord } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const lines: string[] = [];
const log = createLogger('dns-api', 'info', { write: (line) => void lines.push(line) });
const api = useApi({ overrides: { log } });

const auditLines = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'audit');

describe('Audit log', () => {
  it('a change has a line with caller, object, source and outcome; the journal has the rest by request id', async () => {
    const zone = await createDomain(api);
    lines.length = 0;
    const record = await createRecord(api, zone.id, {
      name: zone.name,
      type: 'TXT',
      data: 'confidential',
    });
    await waitFor(() => auditLines().length === 1);
    const [line = {}] = auditLines();
    expect(line).toMatchObject({
      event: 'Create Record',
      outcome: 'success',
      status: 200,
      source: '127.0.0.1',
      userId: expect.any(String),
      tenantId: 'tenant-a',
      path: `/v1/domains/${zone.id}/records`,
      created: `/v1/domains/${zone.id}/records/${record.id}`,
      requestId: expect.stringMatching(/^req-/),
    });
    expect(lines.join('')).not.toMatch(/confidential|token-a/);
    const journal = await api.db('dns.zone_changes').where({ request_id: line['requestId'] });
    expect(journal).toHaveLength(1);
  });

  it('every operation that changes something has a line, also when it is refused', async () => {
    // small-protocols.test.ts checks the lines of operations that take no tokens.
    const writes = OPERATIONS.filter(
      ({ method, access, onlyReads }) => method !== 'GET' && access !== 'key' && onlyReads !== true,
    );
    expect(writes.length).toBeGreaterThan(8);
    for (const { name, method, path } of writes) {
      lines.length = 0;
      const id = '00000000-0000-4000-8000-000000000000';
      const sent = method.toLowerCase() as Lowercase<typeof method>;
      await api.call(sent, path.replaceAll(/\{\w+\}/g, id), method === 'DELETE' ? undefined : {});
      await waitFor(() => auditLines().length === 1);
      expect(auditLines()).toEqual([
        expect.objectContaining({ event: name, outcome: 'failure', tenantId: 'tenant-a' }),
      ]);
    }
  });

  it('a change without a valid token has a line, too; reads have none', async () => {
    lines.length = 0;
    await api.callAs(undefined, 'post', '/v1/domains', {});
    await api.call('get', '/v1/domains');
    await waitFor(() => lines.length === 3);
    expect(auditLines()).toEqual([
      expect.objectContaining({ event: 'Create Domain', outcome: 'failure', status: 401 }),
    ]);
  });
});
