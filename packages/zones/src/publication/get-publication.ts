import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { Zone } from '../rows/zone.js';
import { describeMissingSerial } from '../history/missing-serial.js';
import type { Timestamp } from '../sql/timestamps.js';
import {
  type AppliedMoment,
  findChangeBySerial,
  findUnrecordedChange,
  listAppliedMoments,
} from './change-store.js';
import type { StatusReader } from './status-reader.js';
import {
  type AwaitedChange,
  countServers,
  isApplied,
  isLive,
  type PublicationCount,
} from './nameserver-status.js';

/** How far a change has come, nameserver by nameserver. */
export interface Publication {
  readonly serial: number;
  readonly change: AwaitedChange;
  readonly count: PublicationCount;
  readonly committedAt: Timestamp;
  readonly nameservers: readonly {
    readonly name: string;
    readonly isApplied: boolean;
    readonly isLive: boolean;
    /** Undefined if the change is not applied or the moment is no longer known. */
    readonly moment: AppliedMoment | undefined;
  }[];
}

const MAX_SERIAL = 4_294_967_295;

/** @throws ServiceError `not-found` when the zone never had that serial, or had it too long ago. */
export async function getPublication(
  { db, statuses }: { readonly db: Database; readonly statuses: StatusReader },
  zone: Zone,
  serial: number,
): Promise<Publication> {
  const found =
    serial <= MAX_SERIAL
      ? ((await findChangeBySerial(db, zone.id, serial)) ??
        (await findUnrecordedChange(db, zone.id, serial)))
      : undefined;
  if (found === undefined) {
    throw new ServiceError('not-found', await describeMissingSerial(db, zone.id, serial));
  }
  const change = { transaction: BigInt(found.transaction), zone: { name: zone.name, serial } };
  // In this order: a moment is known of whatever is said to be applied.
  const servers = await statuses.read();
  const moments = await listAppliedMoments(db, found);
  return {
    serial,
    change,
    count: countServers(servers, change),
    committedAt: found.committedAt,
    nameservers: servers.map((server) => {
      const hasApplied = isApplied(server, change);
      const reporter = server.report?.reporter;
      return {
        name: server.name,
        isApplied: hasApplied,
        isLive: isLive(server),
        moment: hasApplied && reporter !== undefined ? moments.get(reporter) : undefined,
      };
    }),
  };
}
