import { type CallOptions, type Client, NotFoundError, readAll } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import { PROGRAM } from '../command/user-command.js';
import { withDot } from '../record/names.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a deleted domain. A name may have been that of several. @throws InputError, NotFoundError */
export async function findDeleted(
  client: Client,
  idOrName: string,
  reading: CallOptions,
): Promise<string> {
  if (UUID.test(idOrName)) return idOrName;
  const name = withDot(idOrName).toLowerCase();
  const deleted = await readAll(client.domains.list(reading, { deleted: true }));
  const [found, ...others] = deleted.filter((domain) => domain.name === name);
  const listed = `${PROGRAM} domain list --deleted`;
  if (found === undefined) {
    throw new NotFoundError(`there is no deleted domain ${name} to restore. See ${listed}`);
  }
  if (others.length === 0) return found.id;
  throw new InputError(`${name} was deleted several times. Use an ID of ${listed}`);
}
