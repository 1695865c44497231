import {
  type AwaitedChange,
  countServers,
  type EventPosition,
  isApplied,
  isLive,
  type JournalChange,
  type NameserverStatus,
  type PublicationCount,
  type ZoneChanges,
  type ZoneChangeset,
} from '@zonewright/zones';

// Renders an event in the format that browsers read (HTML Living Standard s9.2). JSON contains no line breaks.

function renderEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Renders a change of a domain's serial, as in the history. */
export function renderChange(step: ZoneChangeset): string {
  return renderEvent('change', { ...domainOf(step), ...renderChangeset(step) });
}

/** Renders the same change for callers who may not read all records: only the values that the domain itself shows. */
export function renderSerial(step: ZoneChangeset): string {
  const { serialAfter, changedAt } = step;
  const serial = { serial_after: serialAfter, changed_at: changedAt };
  return renderEvent('change', { ...domainOf(step), ...serial });
}

/** Renders a change's publication by each nameserver. */
export function renderPublication(
  step: ZoneChangeset,
  change: AwaitedChange,
  servers: readonly NameserverStatus[],
): string {
  const count = countServers(servers, change);
  const { applied, live, total } = count;
  return renderEvent('publication', {
    ...domainOf(step),
    serial: step.serialAfter,
    state: stateOf(count),
    applied,
    live,
    total,
    nameservers: servers.map((server) => ({
      name: server.name,
      applied: isApplied(server, change),
      live: isLive(server),
    })),
  });
}

/** Renders the event after which clients must read again, because some changes cannot be reported. */
export function renderGap(): string {
  return renderEvent('gap', {});
}

/** Renders the position to resume from. This line contains nothing else, and shows that the connection works. */
export function renderPosition(position: EventPosition): string {
  return `id: ${position}\n\n`;
}

/** Renders the delay after which a client reconnects. */
export function renderRetry(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

function domainOf({ zoneId, displayZoneName }: ZoneChangeset) {
  return { domain_id: zoneId, domain_name: displayZoneName };
}

/** Renders the author of a change. Values are null if there are none. */
export function renderAuthor({ userName, accessKeyId, source, note }: JournalChange | ZoneChanges) {
  return { user_name: userName, access_key_id: accessKeyId, source, note };
}

/** Renders all changes with one serial. */
export function renderChangeset(step: ZoneChanges) {
  return {
    id: step.id,
    serial_before: step.serialBefore,
    serial_after: step.serialAfter,
    counts: step.counts,
    names: step.names,
    user_id: step.userId,
    ...renderAuthor(step),
    request_id: step.requestId,
    changed_at: step.changedAt,
  };
}

export function stateOf({ isPublished }: PublicationCount): 'published' | 'pending' {
  return isPublished ? 'published' : 'pending';
}
