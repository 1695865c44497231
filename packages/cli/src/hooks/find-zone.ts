import { type Domain, NotFoundError, readAll } from '@zonewright/client';
import type { Session } from '../session/session.js';

/** The domain here that a name lies in: of several the longest. @throws NotFoundError */
export async function findZone({ client, reading }: Session, name: string): Promise<Domain> {
  const lower = name.toLowerCase();
  const around = (await readAll(client.domains.list(reading)))
    .filter((domain) => lower === domain.name || lower.endsWith(`.${domain.name}`))
    .sort((a, b) => b.name.length - a.name.length);
  const [closest] = around;
  if (closest !== undefined) return closest;
  throw new NotFoundError(`${name} is not in any of your domains`);
}
