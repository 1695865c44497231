import { CommandEnd, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm } from '../command/confirm.js';
import { EXIT } from '../command/exit-codes.js';
import type { Host } from '../command/host.js';
import { readFileOrStdin } from '../command/read-file.js';
import { type Session, withSession } from '../session/session.js';
import { type CommonOptions, PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { domainOfFile } from './file-domain.js';
import { withDot } from '../record/names.js';
import {
  isEmpty,
  makePlan,
  type Plan,
  renderPlan,
  toImport,
  toNewDomain,
  type Wish,
} from './plan.js';

interface PlanOptions extends CommonOptions {
  readonly domain?: string;
  readonly merge?: boolean;
  readonly yes?: boolean;
  readonly detailedExitcode?: boolean;
}

export function planCommand(host: Host): Command {
  return withFile(
    userCommand(
      'plan',
      'what `apply` would do with a zone file; nothing is changed',
      'plan example.com.zone',
      'plan records.txt --domain example.com --merge',
    ),
  )
    .option('--detailed-exitcode', `end with ${EXIT.pending} where something would change`)
    .action(
      withSession(host, async ({ client, output, reading }, file: string, options: PlanOptions) => {
        const plan = await makePlan(client, await readWish(host, file, options), reading.signal);
        output.text(renderPlan(host, plan), plan.result);
        refuseWrong(plan);
        const isPending = options.detailedExitcode === true && !isEmpty(plan);
        if (isPending) throw new CommandEnd(EXIT.pending);
      }),
    );
}

export function applyCommand(host: Host): Command {
  return withFile(
    writeCommand(
      'apply',
      'make a domain what a zone file says; what the file does not have is deleted, after a question',
      'apply example.com.zone',
      'apply example.com.zone --yes --json',
    ),
  )
    .option('--yes', 'do not ask before records are deleted, however many')
    .action(
      withSession(host, async (session, file: string, options: PlanOptions) => {
        const { client, output, reading } = session;
        const wish = await readWish(host, file, options);
        const plan = await makePlan(client, wish, reading.signal);
        const isEnd = isEmpty(plan) || plan.result.outcome === 'would_refuse';
        // As JSON there is one document: of what is done, or why nothing is.
        const isShown = options.yes !== true && options.json !== true;
        if (isEnd || isShown) output.text(renderPlan(host, plan), plan.result);
        refuseWrong(plan);
        if (isEmpty(plan)) return;
        const { deleted } = plan.result;
        if (deleted > 0) {
          const records = deleted === 1 ? 'One record is' : `${deleted} records are`;
          await confirm(host, options, `${records} deleted. Go on?`);
        }
        await apply(session, wish, plan);
      }),
    );
}

function withFile(command: Command): Command {
  return command
    .argument('<file>', 'the zone file; - is standard input')
    .option('--domain <name>', 'the domain (default: as $ORIGIN or SOA of the file say)')
    .option('--merge', 'keep the records that the file does not have');
}

async function readWish(
  host: Host,
  file: string,
  { domain, merge = false }: PlanOptions,
): Promise<Wish> {
  const text = await readFileOrStdin(host, file);
  const name = domain ?? domainOfFile(text);
  // A file without $ORIGIN is relative to the domain that it is put into.
  return { domain: name, zonefile: text, merges: merge };
}

/** @throws InputError when a line is wrong: nothing of the file is done then */
function refuseWrong({ result }: Plan): void {
  const { outcome, errors = [] } = result;
  if (outcome !== 'would_refuse') return;
  const wrong = result.not_taken.filter(({ severity }) => severity === 'error');
  const first = wrong.length > 0 ? undefined : errors[0]?.message;
  throw new InputError(first ?? 'a line of the file is wrong, and nothing was changed');
}

async function apply(
  { client, output, suggest, write }: Session,
  wish: Wish,
  plan: Plan,
): Promise<void> {
  const { domain: name } = wish;
  const { domain, etag: ifMatch } = plan;
  const answer = await write(name, (each) =>
    domain === undefined
      ? client.domains.importNew(toNewDomain(wish), each)
      : // Whoever was not asked has said --yes, or nothing is deleted.
        client.domains.import(
          domain.id,
          { ...toImport(wish), confirm: true },
          { ...each, ifMatch },
        ),
  );
  const { created, updated, deleted } = answer.value;
  const done = `Applied to ${withDot(name)}: ${created} added, ${updated} changed, ${deleted} deleted.`;
  output.done(done, answer.value);
  if (deleted > 0) suggest(`It comes back by: ${PROGRAM} undo ${withDot(name)}`);
}
