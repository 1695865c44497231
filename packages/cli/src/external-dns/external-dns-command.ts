import { once } from 'node:events';
import { createServer } from 'node:http';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { accountCommand } from '../command/user-command.js';
import { withDot } from '../record/names.js';
import { withSession } from '../session/session.js';
import { Webhook } from './webhook.js';

/** Default address of webhooks in external-dns: the same pod. */
const LISTEN = '127.0.0.1:8888';

interface Options {
  readonly listen: string;
  readonly domain?: readonly string[];
  readonly confirm?: boolean;
}

export function externalDnsCommand(host: Host): Command {
  return accountCommand(
    'external-dns',
    'run the webhook provider for external-dns',
    'external-dns --domain example.com',
  )
    .option('--domain <name...>', 'domains to manage (default: all that the key can read)')
    .option('--confirm', 'allow deletion of more than 30% of list the records of a domain at once')
    .option(
      '--listen <address>',
      'host and port; every program that can connect can change records',
      LISTEN,
    )
    .action(
      withSession(host, async (session, { listen, domain = [], confirm = false }: Options) => {
        const webhook = new Webhook(session, domain.map(withDot), confirm);
        const server = createServer((request, response) => {
          void webhook.answer(request, response);
        });
        server.listen(readAddress(listen));
        await once(server, 'listening');
        const address = server.address();
        const port = typeof address === 'object' ? address?.port : undefined;
        session.output.remark(
          `Listening on ${listen.replace(/:0$/, `:${port ?? 0}`)}. Press Ctrl-C to stop.`,
        );
        if (!host.signal.aborted) await once(host.signal, 'abort');
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }),
    );
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:\[?([^\]]+)\]?):(\d{1,5})$/.exec(text) ?? [];
  if (host !== undefined && Number(port) < 65_536) return { host, port: Number(port) };
  throw new InputError(`"${text}" is not an address and port. Example: ${LISTEN}`);
}
