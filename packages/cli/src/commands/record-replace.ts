import { NotFoundError, readAll, type RecordOperation, type ZoneRecord } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, type Host, marksFor } from '../command/host.js';
import { PROGRAM, writeCommand } from '../command/user-command.js';
import { renderRecord } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';

interface ReplaceOptions {
  readonly allDomains?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Record with its old and new data. */
interface Replacement {
  readonly zone: { readonly id: string; readonly name: string };
  readonly before: ZoneRecord;
  readonly after: { readonly data: string };
}

export function replaceCommand(host: Host): Command {
  return writeCommand(
    'replace',
    'replace data in all matching records',
    'record replace 192.0.2.1 192.0.2.9 example.com',
    'record replace 192.0.2.1 192.0.2.9 --all-domains',
    'record replace old.example.net. new.example.net. example.com --dry-run',
  )
    .argument('<old>', 'complete current data')
    .argument('<new>', 'new data')
    .argument('[domain]', 'domain name or ID')
    .option('--all-domains', 'replace in all domains of the project')
    .option('--dry-run', 'print the changes without making them')
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(
        host,
        async (
          session,
          ...[old, data, domain, options]: [string, string, string | undefined, ReplaceOptions]
        ) => {
          if ((domain === undefined) !== (options.allDomains === true)) {
            throw new InputError('specify a domain, or --all-domains');
          }
          const { output, write, client } = session;
          const found = await findAll(session, old, domain);
          const all = found.map((each): Replacement => ({ ...each, after: { data } }));
          if (all.length === 0) {
            throw new NotFoundError(
              `no record has the data ${old}. See ${PROGRAM} record find ${old}`,
            );
          }
          const { changed } = marksFor(host);
          const lines = all.map(
            ({ before }) =>
              `  ${changed} ${renderRecord(before)}  =>  ${renderRecord({ ...before, data })}`,
          );
          if (options.dryRun === true) {
            output.text(lines, all);
            return;
          }
          for (const line of lines) output.remark(line);
          await confirm(
            host,
            options,
            `Change ${all.length === 1 ? 'this record' : `${all.length} records`}?`,
          );
          const done: { sentence: string; result: object }[] = [];
          try {
            for (const [zone, operations] of byZone(all)) {
              await write(zone.name, (each) =>
                client.records(zone.id).change(operations, { ...each, confirm: true }),
              );
              const sentence = `Records changed in ${zone.name}: ${operations.length}`;
              done.push({ sentence, result: { zone, operations } });
            }
          } finally {
            // Also reports the records that were changed before one failed.
            output.doneAll(done);
          }
        },
      ),
    );
}

async function findAll({ client, reading }: Session, old: string, domain: string | undefined) {
  if (domain !== undefined) {
    const { value: zone } = await client.domains.get(domain, reading);
    const records = await readAll(client.records(zone.id).list({ data: old }, reading));
    return records.map((before) => ({ zone, before }));
  }
  const found = await readAll(client.findRecords({ text: old }, reading));
  return found
    .filter(({ data }) => data === old)
    .map((before) => ({
      zone: { id: before.domain_id, name: before.domain_name },
      before: before as ZoneRecord,
    }));
}

function byZone(all: readonly Replacement[]) {
  const zones = new Map<string, [Replacement['zone'], RecordOperation[]]>();
  for (const { zone, before, after } of all) {
    const [, operations] = zones.get(zone.id) ?? [zone, []];
    const { id, version } = before;
    operations.push({ action: 'update', id, if_version: version, record: after });
    zones.set(zone.id, [zone, operations]);
  }
  return [...zones.values()];
}
