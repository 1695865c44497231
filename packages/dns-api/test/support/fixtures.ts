import { waitFor } from '@zonewright/testkit';
import type { Api } from './use-api.js';

/** A domain in the form of the API. */
export interface DomainBody {
  readonly id: string;
  readonly name: string;
  readonly ttl: number;
  readonly email: string;
  readonly serial: number;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** A record in the form of the API. */
export interface RecordBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number | null;
  readonly priority: number | null;
  readonly description: string | null;
  readonly domain_id: string;
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** A record in a list. */
export interface ListedRecordBody extends RecordBody {
  readonly tenant_id: string;
  readonly version: number;
}

/** An entry of `errors` in an error body. */
export interface ProblemBody {
  readonly path: string;
  readonly validator: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly errors: readonly ProblemBody[];
  readonly request_id: string;
}

let names = 0;

/** Returns a name that no other test of the process uses. */
export function freshName(): string {
  names += 1;
  return `zone-${names}.example.`;
}

/**
 * Repeats a set-up request until its status is not 503, which means that nothing was changed. Returns the body of a
 * 200.
 */
async function setUp(send: () => ReturnType<Api['call']>): Promise<unknown> {
  const response = await waitFor(async () => {
    const given = await send();
    return given.status === 503 ? undefined : given;
  });
  const { status, text } = response;
  if (status !== 200)
    throw new Error(`A set-up was answered with ${status}: ${text.slice(0, 300)}`);
  return response.body as unknown;
}

/** Creates a domain for tenant A, unless another token is given. */
export async function createDomain(
  api: Api,
  members: object = {},
  token = 'token-a',
): Promise<DomainBody> {
  const body = { name: freshName(), email: 'admin@example.com', ...members };
  return (await setUp(() => api.callAs(token, 'post', '/v1/domains', body))) as DomainBody;
}

/** Creates a record in one of tenant A's domains. */
export async function createRecord(
  api: Api,
  domainId: string,
  members: object,
): Promise<RecordBody> {
  const path = `/v1/domains/${domainId}/records`;
  return (await setUp(() => api.call('post', path, members))) as RecordBody;
}

/** Returns the current state of the domain. */
export async function readDomain(api: Api, id: string): Promise<DomainBody> {
  const response = await api.call('get', `/v1/domains/${id}`).expect(200);
  return response.body as DomainBody;
}
