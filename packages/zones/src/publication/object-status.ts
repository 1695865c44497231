import {
  type AwaitedChange,
  isApplied,
  isLive,
  isSettled,
  isUnderWay,
  type NameserverStatus,
} from './nameserver-status.js';
import { isWithin } from '@zonewright/database';

/**
 * What the nameservers make of a change. `ACTIVE`: every one that is heard from answers with it, and there is one. `ERROR`: one
 * has read it and could not take it over. `PENDING`: all else.
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
