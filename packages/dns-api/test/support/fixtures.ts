import type { Api } from './use-api.js';

/** A domain as the API shows it. */
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

/** A record as the API shows it. */
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

/** A record among others. */
export interface ListedRecordBody extends RecordBody {
  readonly tenant_id: string;
  readonly version: number;
}

/** One entry of `errors` in an error body. */
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

/** A name that no other test of the process has. */
export function freshName(): string {
  names += 1;
  return `zone-${names}.example.`;
}

/** Creates a domain, of tenant A unless another token is given. */
export async function createDomain(
  api: Api,
  members: object = {},
  token = 'token-a',
): Promise<DomainBody> {
  const response = await api
    .callAs(token, 'post', '/v1/domains', {
      name: freshName(),
      email: 'admin@example.com',
      ...members,
    })
    .expect(200);
  return response.body as DomainBody;
}

/** Creates a record in a domain of tenant A. */
export async function createRecord(
  api: Api,
  domainId: string,
  members: object,
): Promise<RecordBody> {
  const response = await api.call('post', `/v1/domains/${domainId}/records`, members).expect(200);
  return response.body as RecordBody;
}

/** The domain as it stands now. */
export async function readDomain(api: Api, id: string): Promise<DomainBody> {
  const response = await api.call('get', `/v1/domains/${id}`).expect(200);
  return response.body as DomainBody;
}
