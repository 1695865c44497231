import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers, waitFor } from '@zonewright/testkit';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env });
const signer = useSigner(api, env);

let plain: DomainBody;
let signed: DomainBody;

beforeAll(async () => {
  await addNameservers(api.db);
  plain = await createDomain(api);
  signed = await createDomain(api);
  await insist('put', `/v1/domains/${signed.id}/dnssec`, { body: { enabled: true } });
  await signer.run();
});

interface Call {
  readonly body?: object | string;
  readonly key?: string;
}

/** Repeats a request until its status is not 503, which means that nothing was written. @returns the text of the response */
async function insist(
  method: 'post' | 'put' | 'delete',
  path: string,
  { body, key }: Call = {},
): Promise<string> {
  const { status, text } = await waitFor(async () => {
    const call = api.call(method, path);
    if (key !== undefined) call.set('Idempotency-Key', key);
    if (typeof body === 'string') call.set('Content-Type', 'text/dns');
    const answer = await (body === undefined ? call : call.send(body));
    return answer.status === 503 ? undefined : answer;
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text;
}

async function readWritten(): Promise<number> {
  const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
  return Number(/^zonewright_dns_api_written_bytes_total (\d+)$/m.exec(metrics)?.[1]);
}

/** @returns the bytes that were counted for a request */
async function countWritten(work: () => Promise<unknown>): Promise<number> {
  const before = await readWritten();
  await work();
  return (await readWritten()) - before;
}

let labels = 0;
const freshLabel = () => `n${String((labels += 1)).padStart(4, '0')}`;

/** Adds a record with a new name of always the same length. */
async function add({ id, name }: DomainBody, members: object = {}, key?: string): Promise<string> {
  const body = { name: `${freshLabel()}.${name}`, type: 'A', data: '192.0.2.1', ...members };
  return await insist('post', `/v1/domains/${id}/records`, { body, ...(key && { key }) });
}

/** Returns the size of all signatures and denials of the signed domain. */
async function sizeOfSigned(): Promise<number> {
  const { rows } = await api.db.raw<{ rows: { octets: number }[] }>(
    `select cast(sum(octet_length(s.records)) as integer) as octets from dns.signed_names as s where s.domain_id = ?`,
    [signed.id],
  );
  return rows[0]?.octets ?? 0;
}

describe('DNS_API_MAX_WRITE_BYTES_PER_MINUTE counts what a change writes', () => {
  it('with the response that is stored under an Idempotency-Key', async () => {
    const without = await countWritten(() => add(plain));
    let response = '';
    const counted = await countWritten(async () => {
      response = await add(plain, {}, randomUUID());
    });
    expect(without).toBeGreaterThan(0);
    expect(counted - without).toBeGreaterThanOrEqual(response.length);
  });

  it('with the signatures of one name that a change makes', async () => {
    const without = await countWritten(() => add(plain));
    const before = await sizeOfSigned();
    const counted = await countWritten(() => add(signed));
    expect(counted - without).toBeGreaterThanOrEqual((await sizeOfSigned()) - before);
  });

  it('with all signatures that another TTL of the domain needs', async () => {
    const change = ({ id }: DomainBody) =>
      insist('put', `/v1/domains/${id}`, { body: { ttl: 1_234 } });
    for (let n = 0; n < 5; n += 1) await add(signed);
    const without = await countWritten(() => change(plain));
    const counted = await countWritten(() => change(signed));
    expect(counted - without).toBeGreaterThanOrEqual(await sizeOfSigned());
  });

  it('with the data of each record, its wire form and both states in the history', async () => {
    const short = { type: 'TXT', data: 'x' };
    const long = { type: 'TXT', data: 'x'.repeat(201) };
    const added = async (members: object) => await countWritten(() => add(plain, members));
    expect((await added(long)) - (await added(short))).toBeGreaterThanOrEqual(3 * 200);
  });

  it('of an import, as of single records', async () => {
    const lines = Array.from({ length: 200 }, () => `${freshLabel()} A 192.0.2.1`);
    const one = await countWritten(() => add(plain));
    const counted = await countWritten(() =>
      insist('post', `/v1/domains/${plain.id}/import?mode=merge`, { body: lines.join('\n') }),
    );
    expect(counted).toBeGreaterThan((lines.length * one) / 2);
  });

  it('and nothing for a dry run or a refused change', async () => {
    const path = `/v1/domains/${plain.id}/records`;
    const record = { name: `${freshLabel()}.${plain.name}`, type: 'A', data: '192.0.2.1' };
    const tried = () => insist('post', `${path}?dry_run=true`, { body: record });
    const refused = () =>
      expect(insist('post', path, { body: { ...record, data: 'x' } })).rejects.toThrow('400');
    expect([await countWritten(tried), await countWritten(refused)]).toEqual([0, 0]);
  });
});
