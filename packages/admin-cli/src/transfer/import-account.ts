import { randomUUID } from 'node:crypto';
import { type Database, type Keyring, secretIdentity } from '@zonewright/database';
import { nextSerial } from '@zonewright/dns-records';
import type { DomainPart } from './account-document.js';
import type { CheckedDocument } from './check-document.js';
import { checkDomain, type StoredDomain } from './check-domain.js';
import type { Difference } from './compare.js';
import {
  findHighestSerial,
  insertAccessKeyParts,
  insertAccountDomainPart,
  insertDomainPart,
  insertRecordParts,
  insertRoleAssignmentParts,
  insertTenantParts,
  insertUserParts,
  recordImport,
} from './import-store.js';
import { hashOf, type OpenedSecrets } from './open-secrets.js';
import { ProblemList } from './problem-list.js';
import { readDocument } from './read-document.js';

export interface ImportOptions {
  readonly path: string;
  readonly document: CheckedDocument;
  readonly difference: Difference;
  readonly secrets: OpenedSecrets;
  readonly keyring: () => Keyring;
  /** Called after each domain. */
  readonly onProgress: (domains: number, records: number) => void;
}

const RECORDS_PER_STATEMENT = 5_000;

/**
 * Takes over what is new of a checked document: accounts in one transaction, then each domain in one of its own, so that
 * an import that was interrupted goes on where it was when it is run again.
 */
export async function importAccount(db: Database, options: ImportOptions): Promise<void> {
  await db.transaction(async (trx) => {
    await importAccounts(trx, options);
  });
  const requestId = `import-${randomUUID()}`;
  let domains = 0;
  let records = 0;
  for await (const item of readDocument(options.path)) {
    if (item.section !== 'domains') continue;
    const domain = toStored(item.value as DomainPart);
    if (options.difference.present.domains.has(domain.id)) continue;
    await db.transaction(async (trx) => {
      await importDomain(trx, domain, requestId);
    });
    domains++;
    records += domain.records.length;
    options.onProgress(domains, records);
  }
}

async function importAccounts(trx: Database, options: ImportOptions): Promise<void> {
  const { document, difference, secrets, keyring } = options;
  const { accountDomain, users, tenants, roleAssignments, accessKeys } = document;
  await insertAccountDomainPart(trx, accountDomain);
  const newUsers = [];
  for (const { id, name, status, tokensValidAfter, createdAt } of users) {
    if (difference.present.users.has(id)) continue;
    const hash = await hashOf(id, secrets);
    newUsers.push({
      id,
      name,
      status,
      hash,
      tokensValidAfter: tokensValidAfter ?? null,
      createdAt,
    });
  }
  await insertUserParts(trx, accountDomain.id, newUsers as never);
  await insertTenantParts(
    trx,
    accountDomain.id,
    tenants.filter(({ id }) => !difference.present.tenants.has(id)),
  );
  await insertRoleAssignmentParts(trx, roleAssignments);
  const newKeys = accessKeys.flatMap((key) => {
    const secret = secrets.keys.get(key.id);
    if (secret === undefined || difference.present.accessKeys.has(key.id)) return [];
    const sealed = keyring().seal(Buffer.from(secret), secretIdentity.accessKey(key.id));
    return [{ ...key, secret: sealed }];
  });
  await insertAccessKeyParts(trx, accountDomain.id, newKeys);
}

async function importDomain(trx: Database, domain: StoredDomain, requestId: string): Promise<void> {
  const highest = await findHighestSerial(trx, domain.name);
  const wanted = domain.serial ?? nextSerial(0, Date.now() / 1000);
  // Resolvers and secondaries may remember a zone of that name that was deleted here.
  const serial =
    highest === undefined || wanted > highest ? wanted : nextSerial(highest, Date.now() / 1000);
  await insertDomainPart(trx, domain, serial);
  for (let from = 0; from < domain.records.length; from += RECORDS_PER_STATEMENT) {
    const part = domain.records.slice(from, from + RECORDS_PER_STATEMENT);
    await insertRecordParts(trx, domain.id, part);
  }
  await recordImport(trx, domain.id, requestId);
}

/** The file was checked; if it has changed since, this is where that shows. */
function toStored(part: DomainPart): StoredDomain {
  const problems = new ProblemList();
  const domain = checkDomain(part, { place: 'domains', problems, recordIds: new Set() });
  if (domain === undefined) throw new Error('the file changed while it was being read');
  return domain;
}
