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
