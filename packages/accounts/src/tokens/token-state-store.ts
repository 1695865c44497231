import type { Database } from '@zonewright/database';
import { STATE_RETENTION_MS, type TokenClaims } from './token-claims.js';

/** State of a token since it was issued. */
export type TokenState =
  | { readonly kind: 'as-issued' }
  | { readonly kind: 'rescoped'; readonly tenantId: string | undefined }
  | { readonly kind: 'revoked' };

const AS_ISSUED: TokenState = { kind: 'as-issued' };
/** Number of digits of a version. Microseconds fit until the year 5138, so that versions compare as text. */
const VERSION_DIGITS = 17;
/** Version of a revocation, which is final: it is newer than any other version. */
const FINAL_VERSION = '9'.repeat(VERSION_DIGITS);

export function toTokenState(row: TokenStateRow | undefined): TokenState {
  if (row === undefined) return AS_ISSUED;
  return row.isRevoked ? { kind: 'revoked' } : { kind: 'rescoped', tenantId: row.tenantId };
}

/**
 * Returns the state of a token from the states of its names. It is revoked if any of them is. Returns undefined if one
 * of them is unknown.
 */
export function stateOf(
  names: readonly string[],
  find: (name: string) => TokenState | undefined,
): TokenState | undefined {
  let own: TokenState | undefined;
  for (const name of names) {
    own = find(name);
    if (own === undefined || own.kind === 'revoked') return own;
  }
  return own;
}

export function isSameState(one: TokenState, other: TokenState): boolean {
  if (one.kind !== 'rescoped' || other.kind !== 'rescoped') return one.kind === other.kind;
  return one.tenantId === other.tenantId;
}

/** Encodes a state for Redis: version, then `r`, `u` (unscoped) or `s` and the tenant. */
export function encodeTokenState(row: TokenStateRow): string {
  if (row.isRevoked) return `${FINAL_VERSION}r`;
  const scope = row.tenantId === undefined ? 'u' : `s${row.tenantId}`;
  return String(row.version).padStart(VERSION_DIGITS, '0') + scope;
}

export function decodeTokenState(text: string | undefined): TokenState {
  if (text === undefined) return AS_ISSUED;
  switch (text[VERSION_DIGITS]) {
    case 's':
      return { kind: 'rescoped', tenantId: text.slice(VERSION_DIGITS + 1) };
    case 'u':
      return { kind: 'rescoped', tenantId: undefined };
    default:
      // Either revoked or not written by this service; both are treated as revoked.
      return { kind: 'revoked' };
  }
}

/** State of a token since it was issued, as stored in identity.token_state. */
export interface TokenStateRow {
  readonly jti: string;
  readonly isRevoked: boolean;
  /** Scope that replaced the signed one. Undefined if unscoped. Meaningless for a revoked token. */
  readonly tenantId: string | undefined;
  /** Number in microseconds that increases with each change of the row. */
  readonly version: number;
  readonly expiresAt: Date;
}

interface StateRow {
  token_jti: string;
  is_revoked: boolean;
  tenant_id: string | null;
  version: number;
  expires_at: Date;
}

const COLUMNS = `
  states.token_jti, states.revoked_at is not null as is_revoked, states.tenant_id,
  (extract(epoch from states.changed_at) * 1000000)::bigint as version, states.expires_at`;
/** Later than the previous change, even if the server's clock was set back in the meantime. */
const NEXT_CHANGED_AT = `greatest(clock_timestamp(), states.changed_at + interval '1 microsecond')`;

/** Finds the states of these names; most have no row. */
export async function findTokenStates(
  db: Database,
  jtis: readonly string[],
): Promise<TokenStateRow[]> {
  const { rows } = await db.raw<{ rows: StateRow[] }>(
    `select ${COLUMNS} from identity.token_state as states where states.token_jti = any (?::text[])`,
    [[...jtis]],
  );
  return rows.map(fromRow);
}

/** Marks a token, and all tokens derived from it, as revoked. Returns undefined if it was already revoked. */
export async function insertRevocation(
  db: Database,
  claims: TokenClaims,
  now: Date,
): Promise<TokenStateRow | undefined> {
  const { rows } = await db.raw<{ rows: StateRow[] }>(
    `insert into identity.token_state as states (token_jti, user_id, revoked_at, expires_at, changed_at)
     values (?, ?, ?, ?, clock_timestamp())
     on conflict (token_jti) do update
       set revoked_at = excluded.revoked_at, changed_at = ${NEXT_CHANGED_AT}
       where states.revoked_at is null
     returning ${COLUMNS}`,
    [claims.lineage.end, claims.userId, now, claims.expiresAt],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Replaces the scope of a token. Returns undefined if it was revoked in the meantime. */
export async function upsertScope(
  db: Database,
  claims: TokenClaims,
  tenantId: string | undefined,
): Promise<TokenStateRow | undefined> {
  const { rows } = await db.raw<{ rows: StateRow[] }>(
    `insert into identity.token_state as states
       (token_jti, user_id, is_rescoped, tenant_id, expires_at, changed_at)
     values (?, ?, true, ?, ?, clock_timestamp())
     on conflict (token_jti) do update
       set is_rescoped = true, tenant_id = excluded.tenant_id, changed_at = ${NEXT_CHANGED_AT}
       where states.revoked_at is null
     returning ${COLUMNS}`,
    [claims.jti, claims.userId, tenantId ?? null, claims.expiresAt],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Returns a page of the states that are still needed, by jti. */
export async function listLiveTokenStates(
  db: Database,
  page: { readonly after: string; readonly now: Date; readonly limit: number },
): Promise<TokenStateRow[]> {
  const { rows } = await db.raw<{ rows: StateRow[] }>(
    `select ${COLUMNS} from identity.token_state as states
     where states.token_jti > ? and states.expires_at > ?
     order by states.token_jti limit ?`,
    [page.after, forgottenUntil(page.now), page.limit],
  );
  return rows.map(fromRow);
}

/** Returns the time before which the state of expired tokens is no longer needed. */
function forgottenUntil(now: Date): Date {
  return new Date(now.getTime() - STATE_RETENTION_MS);
}

/** Notifies all replicas that Redis may lack a change of token state. */
export async function notifyTokenState(
  db: Database,
  channel: string,
  payload: string,
): Promise<void> {
  await db.raw('select pg_notify(?, ?)', [channel, payload]);
}

function fromRow(row: StateRow): TokenStateRow {
  return {
    jti: row.token_jti,
    isRevoked: row.is_revoked,
    tenantId: row.tenant_id ?? undefined,
    version: row.version,
    expiresAt: row.expires_at,
  };
}
