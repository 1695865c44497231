import type { DnsEvent } from '@zonewright/client';
import { printable } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { userCommand } from '../command/user-command.js';
import { marksFor } from '../output/marks.js';
import { withSession } from '../session/session.js';

type ToldEvent = Extract<DnsEvent, { data: unknown }>;

const REMARKS = {
  listening: 'Listening; Ctrl-C ends it.',
  gap: 'Something was missed: look anew.',
};

export function watchCommand(host: Host): Command {
  return userCommand(
    'watch',
    'what happens to your domains, as it happens; ends with Ctrl-C, or when a domain has been published with --once',
    'watch',
    'watch example.com --once',
  )
    .argument('[domain]', 'its name or id; all of them unless given')
    .option('--once', 'end when the next change is answered by all nameservers that run')
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
  const rest = live < total ? ` (${total - live} do not run)` : '';
  return `${mark} ${name} ${serial} answered by ${applied} of ${live} nameservers${rest}`;
}
