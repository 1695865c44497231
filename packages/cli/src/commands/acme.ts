import { readAll } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, writeCommand } from '../command/user-command.js';
import { findZone } from '../record/names.js';
import { type Session, withSession } from '../session/session.js';

/**
 * TTL of challenge records. A challenge is deleted after some minutes, and resolvers should not cache it for longer.
 */
const TTL_SECONDS = 60;

export function acmeCommands(host: Host): Command {
  return commandGroup(
    'acme',
    'set ACME DNS challenges for certbot, lego and dehydrated',
    [
      hook(host, 'present', 'add the TXT record of a challenge', present),
      hook(host, 'cleanup', 'remove the TXT record of a challenge', cleanUp),
      dehydrated(host),
    ],
    'acme present _acme-challenge.www.example.com. "$VALUE"',
  );
}

interface Challenge {
  readonly name: string;
  readonly value: string;
}

type Act = (session: Session, challenge: Challenge) => Promise<void>;

function hook(host: Host, name: string, summary: string, act: Act): Command {
  return writeCommand(
    name,
    summary,
    `acme ${name}    (as --manual-auth-hook or --manual-cleanup-hook of certbot, which sets CERTBOT_DOMAIN and CERTBOT_VALIDATION)`,
    `acme ${name} _acme-challenge.www.example.com. "$VALUE"    (as the exec provider of lego calls its program)`,
  )
    .argument('[name]', 'record name (default: from CERTBOT_DOMAIN)')
    .argument('[value]', 'challenge value (default: CERTBOT_VALIDATION)')
    .action(
      withSession(host, async (session, given: string | undefined, value: string | undefined) => {
        await act(session, readChallenge(host, given, value));
      }),
    );
}

function readChallenge({ env }: Host, name?: string, value = env['CERTBOT_VALIDATION']): Challenge {
  const domain = name ?? env['CERTBOT_DOMAIN'];
  if (!domain || !value) throw new InputError('specify the name and the value of the challenge');
  return toChallenge(domain, value);
}

/** Challenge that looks like an option. Hooks pass base64url, which may begin with a hyphen. No option is that long. */
const LIKE_AN_OPTION = /^-[\w-]{20,}$/;

/** Adds a leading blank to challenges that look like options; `toChallenge` removes it. */
export function shieldChallenges(args: readonly string[]): readonly string[] {
  if (args[0] !== 'acme') return args;
  return args.map((argument) => (LIKE_AN_OPTION.test(argument) ? ` ${argument}` : argument));
}

/** Removes the asterisk of a wildcard, whose challenge is at the name below it. */
function toChallenge(domain: string, value: string): Challenge {
  const plain = domain.replace(/^\*\./, '').replace(/\.$/, '');
  const prefix = plain.startsWith('_acme-challenge.') ? '' : '_acme-challenge.';
  return { name: `${prefix}${plain}.`, value: value.trim() };
}

/**
 * Adds the challenge and keeps others, since a name and its wildcard have challenges at the same name. A second call
 * changes nothing.
 */
async function present(session: Session, { name, value }: Challenge): Promise<void> {
  const { client, output, write } = session;
  const zone = await findZone(session, name);
  const there = await findChallenge(session, zone.id, { name, value });
  if (there.length > 0) {
    output.done(`${name} already has this challenge.`, there[0] ?? {});
    return;
  }
  const record = { name, type: 'TXT', data: value, ttl: TTL_SECONDS };
  const { value: made } = await write(name, (each) => client.records(zone.id).add(record, each));
  output.done(`Challenge added to ${name}.`, made);
}

async function cleanUp(session: Session, challenge: Challenge): Promise<void> {
  const { client, output, write } = session;
  const zone = await findZone(session, challenge.name);
  const there = await findChallenge(session, zone.id, challenge);
  const operations = there.map(({ id }) => ({ action: 'delete' as const, id }));
  if (operations.length > 0) {
    await write(challenge.name, (each) => client.records(zone.id).change(operations, each));
  }
  output.done(`Challenge removed from ${challenge.name}.`, there);
}

async function findChallenge(
  { client, reading }: Session,
  zoneId: string,
  { name, value }: Challenge,
) {
  const all = await readAll(client.records(zoneId).list({ name, type: 'TXT' }, reading));
  return all.filter(({ data }) => data === value || data === `"${value}"`);
}

/** Command for dehydrated, which also calls its hook for other events, and for several challenges at once. */
function dehydrated(host: Host): Command {
  const acts: Readonly<Record<string, Act>> = {
    deploy_challenge: present,
    clean_challenge: cleanUp,
  };
  return writeCommand(
    'dehydrated',
    'hook for DNS challenges of dehydrated',
    'acme dehydrated "$@"    (in a script that HOOK names)',
  )
    .argument('<event>', 'operation of dehydrated')
    .argument('[values...]', 'domain, file name and value of each challenge')
    .action(
      withSession(host, async (session, event: string, values: readonly string[]) => {
        const act = acts[event];
        if (act === undefined) return;
        for (let at = 0; at + 2 < values.length; at += 3) {
          await act(session, toChallenge(values[at] ?? '', values[at + 2] ?? ''));
        }
      }),
    );
}
