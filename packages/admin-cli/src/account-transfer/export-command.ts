import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import {
  countOutsideAssignments,
  getAccountDomain,
  listTenantParts,
  SecretBox,
} from '@zonewright/accounts';
import { ServiceError } from '@zonewright/service-kit';
import { Progress, readSecret } from '@zonewright/terminal';
import { countSignedDomains } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { type Session, withSession } from '../command/session.js';
import { exportAccount, type ExportOptions } from './export-account.js';

interface ExportCommandOptions {
  readonly output: string;
  readonly secrets?: boolean;
  readonly plainSecrets?: boolean;
  readonly passphraseStdin?: boolean;
}

export function exportCommand(host: Host): Command {
  return operatorCommand(
    'export',
    'export an account domain and everything in it as JSON',
    'export "Acme Ltd" --output acme.json',
    'export "Acme Ltd" --output acme.json --secrets --passphrase-stdin < passphrase.txt',
  )
    .argument('<account-domain>', 'ID or name of the account domain')
    .requiredOption(
      '--output <file>',
      'file to create, readable only by its owner; - for standard output',
    )
    .option(
      '--secrets',
      'include password hashes and secret keys, encrypted with a passphrase (prompt)',
    )
    .option('--passphrase-stdin', 'read the passphrase from standard input')
    .option(
      '--plain-secrets',
      'include password hashes and secret keys without encryption: protect the file',
    )
    .action(
      withSession(host, async (session, account: string, options: ExportCommandOptions) => {
        const secrets = await chooseSecrets(session, options);
        const progress = new Progress(session.output);
        let counts = { domains: 0, records: 0 };
        const pieces = {
          account,
          secrets,
          onProgress: (domains: number, records: number) => {
            counts = { domains, records };
            progress.report(() => `${domains} domains, ${records} records exported`);
          },
        };
        const { foreign, signed } = await writeDocument(session, options.output, pieces);
        session.output.remark(
          `Account domain exported: ${counts.domains} domains with ${counts.records} records.`,
        );
        if (foreign > 0) {
          session.output.remark(
            `Not exported: ${foreign} roles between this account domain and others.`,
          );
        }
        if (signed > 0) {
          session.output.remark(
            `Not exported: the DNSSEC signing of ${signed} domains. Delete their DS records at the registrar before the move; otherwise validation fails.`,
          );
        }
      }),
    );
}

async function chooseSecrets(
  { host, keyring }: Session,
  { secrets, plainSecrets, passphraseStdin }: ExportCommandOptions,
): Promise<ExportOptions['secrets']> {
  if (secrets === true && plainSecrets === true) {
    throw new ServiceError('invalid', '--secrets and --plain-secrets cannot be used together');
  }
  if (plainSecrets === true) return { box: SecretBox.plain(), keyring: keyring() };
  if (secrets !== true) return undefined;
  const keys = keyring();
  const passphrase = await readSecret(host, {
    what: 'passphrase',
    option: '--passphrase-stdin',
    fromStdin: passphraseStdin === true,
  });
  return { box: SecretBox.create(passphrase), keyring: keys };
}

/**
 * Exports the account as of one moment. A file gets its final name only when it is complete.
 * @returns the numbers of roles and signed domains that were left out
 */
async function writeDocument(
  { host, db }: Session,
  target: string,
  options: ExportOptions,
): Promise<{ readonly foreign: number; readonly signed: number }> {
  return await db.transaction(
    async (trx) => {
      // The reader of the output may be slow, which is harmless because the transaction holds no locks.
      await trx.raw('set local idle_in_transaction_session_timeout = 0');
      const pieces = exportAccount(trx, options);
      if (target === '-') {
        for await (const piece of pieces) {
          if (!host.stdout.write(piece)) await once(host.stdout, 'drain');
        }
      } else await writeFile(target, pieces);
      const { id } = await getAccountDomain(trx, options.account);
      const tenantIds = (await listTenantParts(trx, id)).map((tenant) => tenant.id);
      return {
        foreign: await countOutsideAssignments(trx, id),
        signed: await countSignedDomains(trx, tenantIds),
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function writeFile(target: string, pieces: AsyncIterable<string>): Promise<void> {
  const aside = `${target}.part`;
  const existing = await open(target, 'r').catch(() => undefined);
  if (existing !== undefined) {
    await existing.close();
    throw new ServiceError('conflict', `the file ${target} already exists`);
  }
  await rm(aside, { force: true });
  const file = await open(aside, 'wx', 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await rename(aside, target);
}
