import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { createDomain } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const lines: string[] = [];
const destination = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    lines.push(chunk.toString());
    done();
  },
});
const api = useApi({ overrides: { log: createLogger('dns-api', 'info', destination) } });

describe('The log (D-REQ)', () => {
  it('has one line for each request, with the id of the response', async () => {
    const { id } = await createDomain(api);
    lines.length = 0;
    const response = await api.call('get', `/v1/domains/${id}`);
    await waitFor(() => lines.length > 0);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'request',
      method: 'GET',
      route: '/v1/domains/{domainId}',
      status: 200,
      requestId: response.headers['x-openstack-request-id'],
      tenantId: 'tenant-a',
    });
  });

  it('never contains a token or a body', async () => {
    lines.length = 0;
    await createDomain(api, { description: 'confidential' });
    await api.callAs('secret-token', 'get', '/v1/domains');
    // The log contains two requests, one of which changed something.
    await waitFor(() => lines.length === 3);
    expect(lines.join('')).not.toMatch(/token-a|secret-token|confidential/);
  });
});
