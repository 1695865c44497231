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

// Event streams as browsers read them (HTML Living Standard s9.2). JSON has no line breaks of its own.

function renderEvent(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A step of a domain's serial, as the history shows it. */
export function renderChange(step: ZoneChangeset): string {
  return renderEvent('change', { ...domainOf(step), ...renderChangeset(step) });
}

/** The same for who may not know of all records: what the domain itself shows. */
export function renderSerial(step: ZoneChangeset): string {
  const { serialAfter, changedAt } = step;
  const serial = { serial_after: serialAfter, changed_at: changedAt };
  return renderEvent('change', { ...domainOf(step), ...serial });
}

/** How far a step has come, nameserver by nameserver. */
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

/** Renders the event after which clients must read again, since not all changes can be reported. */
export function renderGap(): string {
  return renderEvent('gap', {});
}

/** From where to go on. It tells clients nothing else, so it shows as well that the connection is alive. */
export function renderPosition(position: EventPosition): string {
  return `id: ${position}\n\n`;
}

/** After how long to come again when the connection ends. */
export function renderRetry(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}

function domainOf({ zoneId, zoneName }: ZoneChangeset) {
  return { domain_id: zoneId, domain_name: zoneName };
}

/** null: not known, since an older version wrote the change, or there was none. */
export function renderAuthor({ userName, accessKeyId, source, note }: JournalChange | ZoneChanges) {
  return { user_name: userName, access_key_id: accessKeyId, source, note };
}

/** All changes of one serial. */
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
