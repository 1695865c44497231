import { importAccounts, type OpenedSecrets } from '@zonewright/accounts';
import {
  type Database,
  errorCode,
  type Keyring,
  SQLSTATE,
  violatedConstraint,
} from '@zonewright/database';
import { ServiceError, systemClock } from '@zonewright/service-kit';
import { type DomainPart, importDomain, insertQuotas, type MovedDomain } from '@zonewright/zones';
import { readDocument } from './account-document.js';
import { checkDomain, type CheckedDocument } from './check-document.js';
import { ProblemList } from './check-members.js';

interface ImportOptions {
  readonly path: string;
  readonly document: CheckedDocument;
  readonly secrets: OpenedSecrets;
  readonly keyring: () => Keyring;
  /** The author of the import in the journal. */
  readonly requestId: string;
  /** Called after each domain. */
  readonly onProgress: (domains: number, records: number) => void;
}

/**
 * Imports the new parts of a checked document: accounts in one transaction, then each domain in another. An
 * interrupted import continues when it is run again. It may run at the same time as the DNS API, other commands and
 * other imports.
 * @throws ServiceError conflict if an id or a name has been taken since the document was compared
 */
export async function importAccount(db: Database, options: ImportOptions): Promise<void> {
  await inTransaction(db, async (trx) => {
    const present = await importAccounts(trx, options.document, options);
    const quotas = options.document.tenants.flatMap(({ id: tenantId, quota }) =>
      quota === null || present.tenants.has(tenantId) ? [] : [{ tenantId, ...quota }],
    );
    await insertQuotas(trx, quotas);
  });
  const step = { requestId: options.requestId, clock: systemClock };
  let domains = 0;
  let records = 0;
  for await (const item of readDocument(options.path)) {
    if (item.section !== 'domains') continue;
    const domain = await toMoved(item.value as DomainPart);
    const isNew = await inTransaction(db, (trx) => importDomain(trx, domain, step));
    if (!isNew) continue;
    domains++;
    records += domain.records.length;
    options.onProgress(domains, records);
  }
}

/** @throws ServiceError conflict if somebody creates the same id or name at this moment */
async function inTransaction<T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.uniqueViolation) throw error;
    throw new ServiceError(
      'conflict',
      `the same object was created at the same time (${violatedConstraint(error) ?? ''}); run the import again to see the conflict`,
      { cause: error },
    );
  }
}

/** Checks a domain again, because the file may have changed since it was checked. */
async function toMoved(part: DomainPart): Promise<MovedDomain> {
  const problems = new ProblemList();
  const domain = await checkDomain(part, { place: 'domains', problems, recordIds: new Set() });
  if (domain === undefined) throw new Error('the file was changed while it was read');
  return domain;
}
