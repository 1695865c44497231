import { CommandEnd, InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { confirm, EXIT, type Host, readFileOrStdin } from '../command/host.js';
import { type CommonOptions, PROGRAM, userCommand, writeCommand } from '../command/user-command.js';
import { withDot } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';
import {
  COLUMNS_HELP,
  countChanges,
  isEmpty,
  savePlan,
  makePlan,
  parseColumns,
  readInput,
  type Plan,
  readSavedPlan,
  renderPlan,
  toImport,
  toNewDomain,
  type Columns,
  type ImportInput,
} from '../zonefile/plan.js';

export interface PlanOptions extends CommonOptions {
  readonly domain?: string;
  readonly merge?: boolean;
  readonly skipRefused?: boolean;
  readonly columns?: Columns;
  readonly yes?: boolean;
  readonly detailedExitcode?: boolean;
  readonly dryRun?: boolean;
  readonly out?: string;
  /** ETag that the domain must still have. */
  readonly ifMatch?: string | undefined;
  /** Whether the domain existed when the plan was made. */
  readonly wasThere?: boolean;
}

export function planCommand(host: Host): Command {
  return withFile(
    userCommand(
      'plan',
      'show the changes that `apply` would make',
      'plan example.com.zone',
      'plan records.txt --domain example.com --merge',
    ),
  )
    .option('--out <file>', 'write the plan to a file for `apply`')
    .option('--detailed-exitcode', `exit with code ${EXIT.pending} if there are changes`)
    .action(
      withSession(host, async (session, file: string, options: PlanOptions) => {
        await showPlan(session, await readWish(session, file, options), options);
      }),
    );
}

/** Does the same as `plan` with the domain as the first argument, under the name that `dnscontrol` and `git` use. */
export function diffCommand(host: Host): Command {
  return userCommand(
    'diff',
    'compare a domain with a zone file',
    'diff example.com example.com.zone',
  )
    .argument('<domain>', 'domain name')
    .argument('<file>', 'zone file; - reads standard input')
    .option('--merge', 'keep records that are not in the file')
    .option('--skip-refused', 'leave out lines that cannot be imported')
    .option('--columns <list>', COLUMNS_HELP, parseColumns)
    .option('--detailed-exitcode', `exit with code ${EXIT.pending} if there are changes`)
    .action(
      withSession(host, async (session, domain: string, file: string, options: PlanOptions) => {
        await showPlan(session, await readWish(session, file, { ...options, domain }), options);
      }),
    );
}

async function showPlan(session: Session, wish: ImportInput, options: PlanOptions): Promise<void> {
  const { host, client, output, reading } = session;
  const plan = await makePlan(client, wish, reading.signal);
  output.text(renderPlan(host, plan), plan.result);
  refuseWrong(plan);
  if (options.out !== undefined) {
    savePlan(options.out, wish, plan);
    output.remark(`To apply this plan: ${PROGRAM} apply ${options.out}`);
  }
  if (options.detailedExitcode === true && !isEmpty(plan)) throw new CommandEnd(EXIT.pending);
}

export function applyCommand(host: Host): Command {
  return withFile(
    writeCommand(
      'apply',
      'make a domain match a zone file; asks before deleting records',
      'apply example.com.zone',
      'apply example.com.zone --yes --json',
      'apply plan.json',
    ),
  )
    .option('--dry-run', 'show the changes without making them, as `plan` does')
    .option(
      '--detailed-exitcode',
      `with --dry-run: exit with code ${EXIT.pending} if there are changes`,
    )
    .option('--yes', 'do not ask before deleting records')
    .action(
      withSession(host, async (session, file: string, options: PlanOptions) => {
        const kept = readSavedPlan(file);
        const wish = kept?.wish ?? (await readWish(session, file, options));
        if (options.dryRun === true) await showPlan(session, wish, options);
        else if (kept === undefined) await performPlan(session, wish, options);
        else {
          const { ifMatch } = kept;
          await performPlan(session, wish, {
            ...options,
            ifMatch,
            wasThere: ifMatch !== undefined,
          });
        }
      }),
    );
}

/** @throws InputError if the domain was created or deleted since the plan */
function requireAsBefore({ domain }: Plan, wish: ImportInput, { wasThere }: PlanOptions): void {
  const isThere = domain !== undefined;
  if (wasThere === undefined || wasThere === isThere) return;
  const what = isThere ? 'made' : 'deleted';
  throw new InputError(
    `${wish.domain} was ${what} in the meantime. Nothing was changed. Create a new plan.`,
  );
}

/** Shows the plan, asks for confirmation, and applies exactly this plan. */
export async function performPlan(
  session: Session,
  wish: ImportInput,
  options: PlanOptions,
): Promise<void> {
  const { host, client, output, reading } = session;
  const plan = await makePlan(client, wish, reading.signal, options.ifMatch);
  requireAsBefore(plan, wish, options);
  const isEnd = isEmpty(plan) || plan.result.outcome === 'would_refuse';
  // JSON output is a single document: the result, or the reason why nothing was done.
  const isShown = options.yes !== true && options.json !== true;
  if (isEnd || isShown) output.text(renderPlan(host, plan), plan.result);
  refuseWrong(plan);
  if (isEmpty(plan)) return;
  const { deleted } = countChanges(plan);
  if (deleted > 0) {
    const records = deleted === 1 ? 'One record is' : `${deleted} records are`;
    await confirm(host, options, `${records} deleted. Continue?`);
  }
  await apply(session, wish, plan);
}

function withFile(command: Command): Command {
  return command
    .argument('<file>', 'zone file, or a file of another provider; - reads standard input')
    .option('--domain <name>', 'domain name (default: from the file)')
    .option('--merge', 'keep records that are not in the file')
    .option('--skip-refused', 'leave out lines that cannot be imported')
    .option('--columns <list>', COLUMNS_HELP, parseColumns);
}

async function readWish(
  { host, client, reading }: Session,
  file: string,
  { domain, merge = false, skipRefused = false, columns }: PlanOptions,
): Promise<ImportInput> {
  const zonefile = await readFileOrStdin(host, file);
  const named = isId(domain) ? (await client.domains.get(domain, reading)).value.name : domain;
  const read = await readInput(client, { zonefile, domain: named, columns }, reading.signal);
  return {
    ...{ domain: read.domain, email: read.email, zonefile, columns },
    ...{ merges: merge, skips: skipRefused },
  };
}

function isId(domain: string | undefined): domain is string {
  return domain !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(domain);
}

/** @throws InputError if a line is wrong; no part of the file is applied in this case */
function refuseWrong({ result }: Plan): void {
  const { outcome, errors = [] } = result;
  if (outcome !== 'would_refuse') return;
  const wrong = result.not_taken.filter(({ severity }) => severity === 'error');
  const first = wrong.length > 0 ? undefined : errors[0]?.message;
  throw new InputError(first ?? 'a line of the file is not valid. Nothing was changed.');
}

async function apply(
  { client, output, suggest, write }: Session,
  wish: ImportInput,
  plan: Plan,
): Promise<void> {
  const { domain: name } = wish;
  const { domain, etag: ifMatch } = plan;
  const answer = await write(name, (each) =>
    domain === undefined
      ? client.domains.importNew(toNewDomain(wish), each)
      : // Without a question, either `--yes` was given or nothing is deleted.
        client.domains.import(
          domain.id,
          { ...toImport(wish), confirm: true },
          { ...each, ifMatch },
        ),
  );
  // Exactly this plan is applied.
  const { created, updated, deleted } = countChanges(plan);
  const done = `Applied to ${withDot(name)}: ${created} added, ${updated} changed, ${deleted} deleted.`;
  output.done(done, answer.value);
  if (updated + deleted > 0) suggest(`To undo it: ${PROGRAM} undo ${withDot(name)}`);
}
