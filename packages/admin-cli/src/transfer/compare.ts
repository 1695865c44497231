import { compareAccounts } from '@zonewright/accounts';
import type { Database } from '@zonewright/database';
import type { CheckedDocument } from './check-document.js';
import { compareDomains } from '@zonewright/zones';

/** What of a section is new and what is there already, by id. */
export interface SectionDifference {
  readonly section: string;
  readonly new: number;
  /** There already, and left as it is. */
  readonly present: number;
}

export interface Difference {
  readonly sections: readonly SectionDifference[];
  /** Why the document cannot be taken over as it is. */
  readonly conflicts: readonly string[];
  /** Domains that are there and have another serial or number of records than the document says. */
  readonly different: readonly string[];
}

/** A document beside the database that is to take it. Nothing is changed. */
export async function compareDocument(
  db: Database,
  document: CheckedDocument,
): Promise<Difference> {
  const conflicts: string[] = [];
  const present = await compareAccounts(db, document, conflicts);
  const zones = await compareDomains(db, document.domains, conflicts);
  const section = (name: string, all: number, there: number) => ({
    section: name,
    new: all - there,
    present: there,
  });
  return {
    sections: [
      section('accountDomain', 1, present.accountDomain ? 1 : 0),
      section('users', document.users.length, present.users.size),
      section('tenants', document.tenants.length, present.tenants.size),
      section('accessKeys', document.accessKeys.length, present.accessKeys.size),
      section('domains', document.domains.length, zones.present.size),
      section('records', document.records, zones.presentRecords),
    ],
    conflicts,
    different: zones.different,
  };
}
