import {
  type AccessKeyRow,
  exportIdentity,
  getAccountDomain,
  listAccessKeyParts,
  listRoleAssignmentParts,
  listTenantParts,
  listUserParts,
  openAccessKeySecret,
  type SecretBox,
  type UserRow,
} from '@zonewright/accounts';
import type { Database, Keyring } from '@zonewright/database';
import { listDomainParts, listQuotas, listRecordParts, type Quota } from '@zonewright/zones';
import { DOCUMENT_FORMAT, DOCUMENT_VERSION, type TenantPart } from './account-document.js';

export interface ExportOptions {
  /** Id or name of the account domain. */
  readonly account: string;
  /** Undefined if the document has no secrets. */
  readonly secrets: { readonly box: SecretBox; readonly keyring: Keyring } | undefined;
  /** Called for each domain. */
  readonly onProgress: (domains: number, records: number) => void;
}

const DOMAINS_PER_READING = 200;
const RECORDS_PER_READING = 5_000;
const BEFORE_FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Yields the document of an account in pieces, with one line for each object, as of one moment. Call it within the
 * transaction `db`. It holds at most a few thousand records at a time.
 * @throws ServiceError not-found
 */
export async function* exportAccount(db: Database, options: ExportOptions): AsyncIterable<string> {
  const { id, name, status, statusCode } = await getAccountDomain(db, options.account);
  const { secrets } = options;
  const head = {
    format: DOCUMENT_FORMAT,
    version: DOCUMENT_VERSION,
    exportedAt: new Date().toISOString(),
    secrets:
      secrets === undefined ? 'none' : secrets.box.encryption === undefined ? 'plain' : 'sealed',
    encryption: secrets?.box.encryption ?? null,
    accountDomain: { id, name, status, statusCode },
  };
  yield JSON.stringify(head).slice(0, -1);
  const users = (await listUserParts(db, id)).map((row) => toUser(row, options));
  yield* list(
    'users',
    users.map((user) => JSON.stringify(user)),
  );
  const tenants = await listTenantParts(db, id);
  const tenantIds = tenants.map((tenant) => tenant.id);
  const quotas = await listQuotas(db, tenantIds);
  yield* list(
    'tenants',
    tenants.map(({ createdAt, ...tenant }) =>
      JSON.stringify({ ...tenant, quota: toQuota(quotas.get(tenant.id)), createdAt }),
    ),
  );
  const roles = await listRoleAssignmentParts(db, id);
  yield* list(
    'roleAssignments',
    roles.map((part) => JSON.stringify(part)),
  );
  const keys = (await listAccessKeyParts(db, id)).map((row) => toAccessKey(row, options));
  yield* list(
    'accessKeys',
    keys.map((key) => JSON.stringify(key)),
  );
  yield ',\n"domains":[';
  yield* exportDomains(db, tenantIds, options);
  yield '\n]}\n';
}

function* list(name: string, lines: readonly string[]): Iterable<string> {
  yield `,\n"${name}":[\n${lines.join(',\n')}\n]`;
}

function toUser({ hash, ...user }: UserRow, { secrets }: ExportOptions) {
  if (secrets === undefined) return user;
  const identity = exportIdentity.password(user.id);
  return { ...user, passwordHash: hash === null ? null : secrets.box.write(hash, identity) };
}

function toQuota(quota: Quota | undefined): TenantPart['quota'] {
  if (quota === undefined) return null;
  const { maxDomains, mxTargetCheck, maxDomainRecords } = quota;
  return { maxDomains, ...(mxTargetCheck === null ? {} : { mxTargetCheck }), maxDomainRecords };
}

function toAccessKey({ sealed, keyId, ...key }: AccessKeyRow, { secrets }: ExportOptions) {
  if (secrets === undefined || sealed === undefined || keyId === undefined) return key;
  const opened = openAccessKeySecret(secrets.keyring, { ...key, secret: { sealed, keyId } });
  const secret = secrets.box.write(String(opened), exportIdentity.accessKey(key.id));
  return { ...key, secret };
}

async function* exportDomains(
  db: Database,
  tenantIds: readonly string[],
  { onProgress }: ExportOptions,
): AsyncIterable<string> {
  let domains = 0;
  let records = 0;
  for (let after = BEFORE_FIRST; ;) {
    const page = await listDomainParts(db, tenantIds, { after, limit: DOMAINS_PER_READING });
    for (const domain of page) {
      yield `${domains === 0 ? '' : ','}\n${JSON.stringify(domain).slice(0, -1)},"records":[`;
      let separator = '';
      for await (const part of recordPages(db, domain.id)) {
        yield separator + part.map((record) => `\n${JSON.stringify(record)}`).join(',');
        separator = ',';
        records += part.length;
        onProgress(domains, records);
      }
      yield ']}';
      domains++;
      onProgress(domains, records);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function* recordPages(db: Database, domainId: string) {
  for (let after = BEFORE_FIRST; ;) {
    const page = await listRecordParts(db, domainId, { after, limit: RECORDS_PER_READING });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}
