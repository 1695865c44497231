import { randomUUID } from 'node:crypto';
import { compareAccounts, openSecrets, SecretBox } from '@zonewright/accounts';
import type { Database } from '@zonewright/database';
import { type Column, CommandEnd, EXIT, Progress, readSecret } from '@zonewright/terminal';
import { compareDomains } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { type Session, withSession } from '../command/session.js';
import { checkDocument, type CheckedDocument } from './check-document.js';
import type { ProblemList } from './check-members.js';
import { importAccount } from './import-account.js';

interface ImportCommandOptions {
  readonly dryRun?: boolean;
  readonly passphraseStdin?: boolean;
}

const COLUMNS: readonly Column<SectionDifference>[] = [
  { title: 'Section', member: 'section' },
  { title: 'New', member: 'new' },
  { title: 'Existing', member: 'present' },
];
const SHOWN = 50;

export function importCommand(host: Host): Command {
  return operatorCommand(
    'import',
    'import an account domain from JSON; existing objects are not changed',
    'import acme.json --dry-run',
    'import acme.json --passphrase-stdin < passphrase.txt',
  )
    .argument('<file>', 'file of an export, or of another program in the same format')
    .option('--dry-run', 'show errors, new objects and conflicts without importing anything')
    .option('--passphrase-stdin', 'read the passphrase of the document from standard input')
    .action(
      withSession(host, async (session, path: string, options: ImportCommandOptions) => {
        const { document, problems } = await checkDocument(path);
        endIfWrong(session, problems);
        const secrets = openSecrets(
          document,
          await chooseBox(session, document, options),
          problems,
        );
        endIfWrong(session, problems);
        const difference = await compareDocument(session.db, document);
        tell(session, difference, document);
        if (difference.conflicts.length > 0) throw new CommandEnd(EXIT.conflict);
        if (options.dryRun === true) return;
        const progress = new Progress(session.output);
        const { keyring, db } = session;
        await importAccount(db, {
          ...{ path, document, secrets, keyring },
          requestId: host.audit?.requestId ?? `import-${randomUUID()}`,
          onProgress: (domains, records) => {
            progress.report(
              () => `${domains} domains, ${records} records of ${document.records} imported`,
            );
          },
        });
        session.output.remark('Account domain imported.');
      }),
    );
}

async function chooseBox(
  { host }: Session,
  { encryption }: CheckedDocument,
  { passphraseStdin }: ImportCommandOptions,
): Promise<SecretBox> {
  if (encryption === undefined) return SecretBox.plain();
  const passphrase = await readSecret(host, {
    what: 'passphrase',
    option: '--passphrase-stdin',
    fromStdin: passphraseStdin === true,
  });
  return SecretBox.open(passphrase, encryption);
}

function endIfWrong({ output }: Session, problems: ProblemList): void {
  if (problems.count === 0) return;
  for (const sentence of problems.sentences) output.remark(sentence);
  throw new CommandEnd(EXIT.usage);
}

function tell({ output }: Session, difference: Difference, document: CheckedDocument): void {
  const { sections, conflicts, different } = difference;
  output.report({ sections, conflicts, different }, () => ({ rows: sections, columns: COLUMNS }));
  for (const each of different.slice(0, SHOWN)) output.remark(`not changed: ${each}`);
  for (const each of conflicts.slice(0, SHOWN)) output.remark(`conflict: ${each}`);
  if (conflicts.length > SHOWN) output.remark(`and ${conflicts.length - SHOWN} more conflicts`);
  const { users } = document;
  const withoutHash = users.filter(
    ({ passwordHash, password }) => (passwordHash ?? password) === undefined,
  );
  if (withoutHash.length > 0) {
    output.remark(
      `Users without a password (set one with user set-password): ${withoutHash.length}.`,
    );
  }
  const withoutSecret = document.accessKeys.filter(({ secret }) => secret === undefined).length;
  if (withoutSecret > 0) {
    output.remark(
      `Not imported: ${withoutSecret} access keys, because the document does not contain their secret keys.`,
    );
  }
}

/** Numbers of new and of existing entries of a section. */
interface SectionDifference {
  readonly section: string;
  readonly new: number;
  /** Existing entries, which are not changed. */
  readonly present: number;
}

interface Difference {
  readonly sections: readonly SectionDifference[];
  /** Reasons why the document cannot be imported. */
  readonly conflicts: readonly string[];
  /** Existing domains whose serial or number of records differs from the document. */
  readonly different: readonly string[];
}

/** Compares a document with the database, without changing anything. */
async function compareDocument(db: Database, document: CheckedDocument): Promise<Difference> {
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
