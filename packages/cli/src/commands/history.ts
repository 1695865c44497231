import { type Change, pairChanges } from '@zonewright/client';
import { InputError, parseCount, printable } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, type Host, marksFor } from '../command/host.js';
import { PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { type RecordLine, toOwnerName } from '../record/names.js';
import { renderChanges, renderDifference } from '../record/plan-set.js';
import { type Session, withSession } from '../session/session.js';

const STEPS = 20;
/** Maximum number of lines for one change. An import may have thousands. */
const SHOWN_CHANGES = 10;

/** All changes of one serial. */
interface Step {
  readonly serial: number;
  readonly before: number | null;
  readonly changedAt: string;
  readonly author: string;
  readonly changes: readonly Change[];
}

export function historyCommand(host: Host): Command {
  return userCommand(
    'history',
    'show the changes of a domain, newest first',
    'history example.com',
    'history example.com --limit 100',
    'history example.com --name www --type TXT',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--limit <number>', `number of changes (default: ${STEPS})`, parseCount)
    .option('--name <name>', 'changes of this name only: www, or @ for the domain itself')
    .option('--type <type>', 'changes of records of this type only')
    .action(
      withSession(
        host,
        async (
          session,
          domain: string,
          { limit = STEPS, name, type }: { limit?: number; name?: string; type?: string },
        ) => {
          const { value } = await session.client.domains.get(domain, session.reading);
          const wanted = {
            ...(name === undefined ? {} : { name: toOwnerName(name, value.name) }),
            ...(type === undefined ? {} : { type }),
          };
          const steps = await readSteps(session, value.id, limit, wanted);
          const lines = steps.flatMap((step) => renderStep(host, step));
          session.output.text(lines, steps);
        },
      ),
    );
}

export function undoCommand(host: Host): Command {
  return writeCommand(
    'undo',
    'undo the latest change of a domain',
    'undo example.com',
    'undo example.com --to 1795330350',
    'undo example.com --dry-run',
  )
    .argument('<domain>', 'domain name or ID')
    .option('--to <serial>', 'restore this serial, as `history` shows it', parseSerial)
    .option('--dry-run', 'print the changes without making them')
    .option('--yes', 'do not ask for confirmation')
    .action(withSession(host, undo));
}

/** Does the same as `undo --to`, for users who look for this name. */
export function restoreCommand(host: Host): Command {
  return writeCommand(
    'restore',
    'restore the records of a domain at a serial',
    'restore example.com 1795330350',
    'restore example.com 1795330350 --dry-run',
  )
    .argument('<domain>', 'domain name or ID')
    .argument('<serial>', 'serial, as `history` shows it', parseSerial)
    .option('--dry-run', 'print the changes without making them')
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(host, (session, domain: string, to: number, options: UndoOptions) =>
        undo(session, domain, { ...options, to }),
      ),
    );
}

interface UndoOptions {
  readonly to?: number;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

async function undo(session: Session, domain: string, options: UndoOptions): Promise<void> {
  const { client, host, output, reading, write } = session;
  const { value, etag } = await client.domains.get(domain, reading);
  const undone = await readUndone(session, value.id, options.to);
  const serial = options.to ?? undone.at(-1)?.before;
  if (serial == null) {
    throw new InputError(`there is no change of ${value.name} to undo`);
  }
  if (options.dryRun === true) {
    const lines = undone.flatMap((step) => renderStep(host, step));
    output.text(lines, undone);
    return;
  }
  for (const step of undone) {
    for (const line of renderStep(host, step)) output.remark(line);
  }
  await confirm(host, options, `Restore the version of serial ${serial}?`);
  const answer = await write(value.name, (each) =>
    client.domains.restore(value.id, { serial, confirm: true }, { ...each, ifMatch: etag }),
  );
  output.done(`${value.name} restored to serial ${serial}.`, answer.value);
}

/** Parses a serial, which has up to ten digits (RFC 1982). */
export function parseSerial(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InputError(`"${text}" is not a serial. See the serials with ${PROGRAM} history`);
}

/** Reads all changes after a serial, or the latest change. */
async function readUndone(session: Session, id: string, to: number | undefined): Promise<Step[]> {
  if (to === undefined) return await readSteps(session, id, 1);
  const steps: Step[] = [];
  for await (const step of followSteps(session, id)) {
    if (step.serial === to) return steps;
    steps.push(step);
  }
  throw new InputError(
    `serial ${to} is not in the history. See the serials with ${PROGRAM} history`,
  );
}

/** Filter of changes. Absent members match all changes. */
interface Wanted {
  readonly name?: string;
  readonly type?: string;
}

async function readSteps(
  session: Session,
  id: string,
  limit: number,
  wanted?: Wanted,
): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const step of followSteps(session, id, wanted)) {
    if (steps.length >= limit) break;
    steps.push(step);
  }
  return steps;
}

/** Groups changes by serial. */
async function* followSteps(
  { client, reading }: Session,
  id: string,
  wanted?: Wanted,
): AsyncGenerator<Step> {
  let changes: Change[] = [];
  for await (const change of client.domains.changes(id, reading, wanted)) {
    if (changes[0] !== undefined && changes[0].serial_after !== change.serial_after) {
      yield toStep(changes);
      changes = [];
    }
    changes.push(change);
  }
  if (changes.length > 0) yield toStep(changes);
}

function toStep(changes: readonly Change[]): Step {
  const [first] = changes as readonly [Change];
  return {
    serial: first.serial_after,
    before: first.serial_before,
    changedAt: first.changed_at,
    author: authorOf(first),
    changes,
  };
}

/** Describes the author of a change: user name if it is known, access key, and note. */
function authorOf({ user_id: id, user_name: name, access_key_id: key, note }: Change): string {
  const byKey = key == null ? '' : ` with key ${key}`;
  return `${name ?? id}${byKey}${note == null ? '' : `: ${note}`}`;
}

function renderStep(host: Host, { serial, changedAt, author, changes }: Step): string[] {
  const lines = renderJournal(host, changes);
  const hidden = lines.length - SHOWN_CHANGES;
  return [
    `${serial}  ${changedAt.slice(0, 19).replace('T', ' ')} UTC  by ${printable(author)}`,
    ...lines.slice(0, SHOWN_CHANGES).map((line) => `  ${line}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

/** Renders the changes of one serial, which the service stores in no order. */
function renderJournal(host: Host, changes: readonly Change[]): string[] {
  const { added, changed, removed } = marksFor(host);
  const images = changes.map(({ before, after }) => ({
    before: before as unknown as RecordLine | null,
    after: after as unknown as RecordLine | null,
  }));
  const ofRecords = images.filter((_, at) => changes[at]?.action.startsWith('record-'));
  const records = {
    create: ofRecords.flatMap(({ before, after }) =>
      before === null && after !== null ? [after] : [],
    ),
    update: ofRecords.flatMap(({ before, after }) =>
      before === null || after === null ? [] : [{ before, after }],
    ),
    delete: ofRecords.flatMap(({ before, after }) =>
      before !== null && after === null ? [before] : [],
    ),
  };
  const words: Readonly<Record<string, string>> = {
    'domain-create': `${added} domain created`,
    'domain-delete': `${removed} domain deleted`,
    'domain-undelete': `${added} domain restored`,
    'domain-update': `${changed} domain settings changed`,
  };
  return [
    ...changes.flatMap(({ action }) => words[action] ?? []),
    ...renderChanges(host, pairChanges(records)),
  ];
}

export function revertCommand(host: Host): Command {
  return writeCommand(
    'revert',
    'revert a single change and keep later ones',
    'revert example.com 1795330350',
  )
    .argument('<domain>', 'domain name or ID')
    .argument('<serial>', 'serial of the change, as `history` shows it', parseSerial)
    .option('--yes', 'do not ask for confirmation')
    .action(
      withSession(
        host,
        async (session, domain: string, serial: number, options: { yes?: boolean }) => {
          const { client, output, reading, write } = session;
          const { value, etag } = await client.domains.get(domain, reading);
          const wish = { ...reading, ifMatch: etag, confirm: true };
          const preview = await client.domains.revert(value.id, serial, { ...wish, dryRun: true });
          for (const line of renderDifference(host, preview.value.difference)) output.remark(line);
          await confirm(host, options, `Revert the change of serial ${serial}?`);
          const answer = await write(value.name, (each) =>
            client.domains.revert(value.id, serial, { ...wish, ...each }),
          );
          output.done(`Change of serial ${serial} reverted.`, answer.value);
        },
      ),
    );
}
