import type { RecordContent } from '@zonewright/client';
import { parseCount } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { writeCommand } from '../command/user-command.js';
import { type Session, withSession } from '../session/session.js';
import { type FlagOptions, type Flags, toFlags, withFlagOptions } from './flags.js';
import { NAME } from './list-records.js';
import { toRecords } from './names.js';

interface Typed {
  readonly zone: { readonly id: string; readonly name: string };
  readonly name: string;
  readonly type: string;
  /** None where no data was typed. */
  readonly given: readonly RecordContent[];
  /** TTL and flags for all records, as far as they were given. */
  readonly said: Flags & { readonly ttl?: number };
  readonly hasFlags: boolean;
}

interface RecordWrite {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  /** The argument, and what there is to say of it. */
  readonly data: readonly [string, string];
  /** Help text for the default TTL. */
  readonly ttl: string;
  readonly perform: (session: Session, typed: Typed) => Promise<void>;
}

/** A command that takes one record, or several of a name and type, as a zone file has it. */
export function recordWriteCommand(
  host: Host,
  { name, summary, examples, data: [data, remark], ttl, perform }: RecordWrite,
): Command {
  const command = writeCommand(name, summary, ...examples)
    .argument('<domain>', 'domain name or ID')
    .argument('<name>', NAME)
    .argument('<type>', 'A, AAAA, CNAME, MX, TXT, SRV, NS, CAA, ...')
    .argument(data, `data as in a zone file; each address becomes a record${remark}`)
    .option('--ttl <seconds>', `TTL in seconds (default: ${ttl})`, parseCount);
  type Arguments = [string, string, string, string[], FlagOptions & { readonly ttl?: number }];
  return withFlagOptions(command).action(
    withSession(host, async (session, ...[domain, owner, type, words, options]: Arguments) => {
      const flags = toFlags(options);
      const { value: zone } = await session.client.domains.get(domain, session.reading);
      const record = { name: owner, type, words };
      await perform(session, {
        ...{ zone, name: owner, type },
        given: words.length === 0 ? [] : toRecords(zone.name, record),
        said: { ...(options.ttl === undefined ? {} : { ttl: options.ttl }), ...flags },
        hasFlags: Object.keys(flags).length > 0,
      });
    }),
  );
}
