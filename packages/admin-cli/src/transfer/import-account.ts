import { importAccounts, type OpenedSecrets } from '@zonewright/accounts';
import {
  type Database,
  errorCode,
  type Keyring,
  SQLSTATE,
  violatedConstraint,
} from '@zonewright/database';
import { nextSerial } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import type { DomainPart, TenantPart } from './account-document.js';
import type { CheckedDocument } from './check-document.js';
import { checkDomain, type StoredDomain } from './check-domain.js';
import { claimDomain } from './claim-domain.js';
import {
  findHighestSerial,
  insertDomainPart,
  insertRecordParts,
  insertTenantQuotas,
  recordImport,
} from './import-store.js';
import { ProblemList } from './problem-list.js';
import { readDocument } from './read-document.js';

export interface ImportOptions {
  readonly path: string;
  readonly document: CheckedDocument;
  readonly secrets: OpenedSecrets;
  readonly keyring: () => Keyring;
  /** Under which the journal has what is imported. */
  readonly requestId: string;
  /** Called after each domain. */
  readonly onProgress: (domains: number, records: number) => void;
}

const RECORDS_PER_STATEMENT = 5_000;

/**
 * Takes over what is new of a checked document: accounts in one transaction, then each domain in one of its own, so that
 * an import that was interrupted goes on where it was when it is run again. It may run beside the DNS API, other commands
 * and other imports.
 *
 * @throws ServiceError conflict, when one of them has taken an id or a name since the document was compared
 */
export async function importAccount(db: Database, options: ImportOptions): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { tenants } = options.document;
    const present = await importAccounts(trx, options.document, options);
    const isNew = ({ id }: TenantPart) => !present.tenants.has(id);
    await insertTenantQuotas(trx, tenants.filter(isNew));
  });
  let domains = 0;
  let records = 0;
  for await (const item of readDocument(options.path)) {
    if (item.section !== 'domains') continue;
    const domain = toStored(item.value as DomainPart);
    const isNew = await inTransaction(db, async (trx) => {
      if (!(await claimDomain(trx, domain))) return false;
      await importDomain(trx, domain, options.requestId);
      return true;
    });
    if (!isNew) continue;
    domains++;
    records += domain.records.length;
    options.onProgress(domains, records);
  }
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

/** @throws ServiceError conflict, when somebody makes the same id or name at this moment */
async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.uniqueViolation) throw error;
    throw new ServiceError(
      'conflict',
      `somebody has made the same at this moment (${violatedConstraint(error) ?? ''}); run the import again, and it says who`,
      { cause: error },
    );
  }
}

/** The file was checked; if it has changed since, this is where that shows. */
function toStored(part: DomainPart): StoredDomain {
  const problems = new ProblemList();
  const domain = checkDomain(part, { place: 'domains', problems, recordIds: new Set() });
  if (domain === undefined) throw new Error('the file changed while it was being read');
  return domain;
}
