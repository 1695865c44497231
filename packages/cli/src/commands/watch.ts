import type { DnsEvent } from '@zonewright/client';
import { printable } from '@zonewright/terminal';
import type { Command } from 'commander';
import { type Host, marksFor } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { withSession } from '../session/session.js';

type ToldEvent = Extract<DnsEvent, { data: unknown }>;

const REMARKS = {
  listening: 'Listening. Press Ctrl-C to stop.',
  gap: 'Events were lost. Check the current state.',
};

export function watchCommand(host: Host): Command {
  return userCommand(
    'watch',
    'print changes of your domains as they happen',
    'watch',
    'watch example.com --once',
  )
    .argument('[domain]', 'domain name or ID (default: all domains)')
    .option('--once', 'exit when all running nameservers have published the next change')
    .action(
      withSession(
        host,
        async (session, domain: string | undefined, { once = false }: { once?: boolean }) => {
          const { client, output, reading } = session;
          const id =
            domain === undefined ? undefined : (await client.domains.get(domain, reading)).value.id;
          for await (const event of client.events(reading)) {
            if (!('data' in event)) output.remark(REMARKS[event.event]);
            else if (id === undefined || event.data.domain_id === id) {
              output.text([render(host, event)], event);
              if (once && isPublished(event)) return;
            }
          }
        },
      ),
    );
}

function isPublished({ event, data }: ToldEvent): boolean {
  return event === 'publication' && data.state === 'published';
}

function render(host: Host, event: ToldEvent): string {
  if (event.event === 'change') {
    const { domain_name: name, serial_after: serial, counts = {}, names = [] } = event.data;
    const what = Object.entries(counts).map(([action, count]) => `${count} ${action}`);
    const author = event.data.user_name ?? event.data.user_id;
    const words = [
      ...what,
      ...names.map(printable),
      ...(author === undefined ? [] : [`by ${printable(author)}`]),
    ];
    return `${name} ${serial} ${words.join(' ')}`;
  }
  const { domain_name: name, serial, applied, live, total, state } = event.data;
  const { good, warning } = marksFor(host);
  const mark = state === 'published' ? good : warning;
  const rest = live < total ? ` (${total - live} not running)` : '';
  return `${mark} ${name} ${serial} published on ${applied} of ${live} nameservers${rest}`;
}
