import type { Database } from '@zonewright/database';

/** Stored response, which repetitions get unchanged. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer that was given to a key, and to which request. */
interface KeptAnswer {
  readonly requestDigest: Buffer;
  readonly reply: Reply;
  /** The transaction that gave it. */
  readonly givenIn: string | undefined;
}

interface KeptAnswerRow {
  request_digest: Buffer;
  status: number;
  headers: Record<string, string>;
  body: string;
  changed_in: string | null;
}

export async function findStoredResponse(
  trx: Database,
  tenantId: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const { rows } = await trx.raw<{ rows: KeptAnswerRow[] }>(
    `select k.request_digest, k.status, k.headers, k.body, k.changed_in::text as changed_in
       from dns.idempotency_keys as k
      where k.tenant_id = ? and k.idempotency_key = ?`,
    [tenantId, key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    requestDigest: row.request_digest,
    reply: { status: row.status, headers: row.headers, body: row.body },
    givenIn: row.changed_in ?? undefined,
  };
}

export async function storeResponse(
  trx: Database,
  owner: { readonly tenantId: string; readonly key: string },
  { requestDigest, reply }: Omit<KeptAnswer, 'givenIn'>,
): Promise<void> {
  await trx.raw(
    `insert into dns.idempotency_keys (tenant_id, idempotency_key, request_digest, status, headers, body)
     values (?, ?, ?, ?, ?, ?)`,
    [
      owner.tenantId,
      owner.key,
      requestDigest,
      reply.status,
      JSON.stringify(reply.headers),
      reply.body,
    ],
  );
}
