import { type Horizon, isWithin } from '@zonewright/database';
import type { Timestamp } from '../rows/statements.js';

/** How long a nameserver may be silent before nobody waits for it any more. It tells of itself each second. */
export const LIVE_MS = 10_000;

/** Status that a nameserver reports. */
export interface StatusReport {
  /** NAMESERVER_NAME of the process. */
  readonly reporter: string;
  readonly address: string;
  readonly software: string;
  /** null: of one that does not tell yet. */
  readonly version: string;
  /** All transactions below it are applied; an xid8 as decimal text. */
  readonly appliedBefore: string;
  /** Exactly which ones are; undefined: none. */
  readonly horizon: Horizon | undefined;
  /** Zones that it could not take over, with the serial that it answers with; `*`: every zone not named. */
  readonly failedZones: Readonly<Record<string, number>>;
  /** Zones that it answers with changes that the database lost, with their serials; `*`: every zone not named. */
  readonly aheadZones: Readonly<Record<string, number>>;
  /** Large zones that it is reading, with the serial that it answers with; `*`: every zone not named. */
  readonly lateZones: Readonly<Record<string, number>>;
  readonly zones: number;
  readonly imageOctets: number;
  readonly startedAt: Timestamp;
  readonly appliedAt: Timestamp;
  readonly heartbeatAt: Timestamp;
  /** When it last looked for changes, in milliseconds ago. */
  readonly readMsAgo: number;
  readonly heartbeatMsAgo: number;
}

/** One of the nameservers of this service. */
export interface NameserverStatus {
  /** As in the list of servers: with trailing dot. */
  readonly name: string;
  readonly ipv4: string | null;
  readonly ipv6: string | null;
  /** Undefined: no process of that name has ever reported. */
  readonly report: StatusReport | undefined;
}

/** A change that is to be seen in DNS. */
export interface AwaitedChange {
  readonly transaction: bigint;
  /** The zone that it changed, and the serial that this led to; undefined: it has been changed again since. */
  readonly zone: { readonly name: string; readonly serial: number } | undefined;
}

/** Whether the nameserver has reported recently. */
export function isLive({ report }: NameserverStatus): boolean {
  return report !== undefined && report.heartbeatMsAgo < LIVE_MS;
}

/** Whether it answers with a change, or with a later one of the same zone. */
export function isApplied(
  { report }: NameserverStatus,
  { transaction, zone }: AwaitedChange,
): boolean {
  if (report?.horizon === undefined || !isWithin(report.horizon, transaction)) return false;
  if (zone === undefined) return true;
  if (isUnderWay(report, zone)) return false;
  const answeredSerial = report.failedZones[zone.name] ?? report.failedZones['*'];
  return answeredSerial === undefined || answeredSerial >= zone.serial;
}

/**
 * Whether the nameserver has read that the zone changed, and will answer with the change. It is reading a large zone, or waits
 * for the next serial of a zone whose changes the database lost.
 */
function isUnderWay(
  { aheadZones, lateZones }: Pick<StatusReport, 'aheadZones' | 'lateZones'>,
  { name, serial }: NonNullable<AwaitedChange['zone']>,
): boolean {
  if (name in aheadZones || '*' in aheadZones) return true;
  const answered = lateZones[name] ?? lateZones['*'];
  return answered !== undefined && answered < serial;
}

/** How far a change has come. */
export interface PublicationCount {
  readonly isPublished: boolean;
  readonly applied: number;
  /** Number of live nameservers; the others delay nothing. */
  readonly live: number;
  readonly total: number;
}

export function countServers(
  servers: readonly NameserverStatus[],
  change: AwaitedChange,
): PublicationCount {
  return {
    isPublished: isPublished(servers, change),
    applied: servers.filter((server) => isApplied(server, change)).length,
    live: servers.filter(isLive).length,
    total: servers.length,
  };
}

/** Whether every live nameserver answers with the change. */
export function isSettled(servers: readonly NameserverStatus[], change: AwaitedChange): boolean {
  return servers.every((server) => !isLive(server) || isApplied(server, change));
}

/** It can be seen: as isSettled, by one nameserver at least. */
function isPublished(servers: readonly NameserverStatus[], change: AwaitedChange): boolean {
  return isSettled(servers, change) && servers.some((server) => isApplied(server, change));
}

/**
 * Status of a change. `ACTIVE`: every live nameserver answers with it, and at least one is live. `ERROR`: one has read it and
 * could not apply it. `PENDING`: all other cases.
 */
export type ObjectStatus = 'ACTIVE' | 'PENDING' | 'ERROR';

export function statusOfChange(
  servers: readonly NameserverStatus[],
  change: AwaitedChange,
): ObjectStatus {
  if (servers.some((server) => isLive(server) && hasFailed(server, change))) return 'ERROR';
  const isAnswered = servers.some((server) => isLive(server) && isApplied(server, change));
  return isAnswered && isSettled(servers, change) ? 'ACTIVE' : 'PENDING';
}

function hasFailed(server: NameserverStatus, change: AwaitedChange): boolean {
  const { report } = server;
  if (report?.horizon === undefined || !isWithin(report.horizon, change.transaction)) return false;
  const isExpected = change.zone !== undefined && isUnderWay(report, change.zone);
  return !isExpected && !isApplied(server, change);
}
