/** Progress of a change at the nameservers, from the response to a write. */
export interface Publication {
  readonly state: 'published' | 'pending';
  /** Numbers of nameservers: those that have published the change, the live ones, and all. */
  readonly applied: number;
  readonly live: number;
  readonly total: number;
}

/** Response with its metadata. */
export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
  /** Serial of the domain after a write. */
  readonly serial: number | undefined;
  /** Publication of the change. Undefined if the call did not wait for it. */
  readonly publication: Publication | undefined;
  /** Number of rows on all pages. Undefined unless it was requested. */
  readonly total: number | undefined;
  readonly requestId: string | undefined;
  /** Marker for the next page. Absent on the last page. */
  readonly nextMarker?: string;
}

export function readAnswer<T>(value: T, headers: Headers): Answer<T> {
  const serial = headers.get('x-zonewright-serial');
  const total = headers.get('x-total-count');
  const [, nextMarker] =
    /<[^>]*[?&]marker=([^&>]+)[^>]*>; *rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return {
    value,
    etag: headers.get('etag') ?? undefined,
    serial: serial === null ? undefined : Number(serial),
    publication: readPublication(headers.get('x-zonewright-publication')),
    total: total === null ? undefined : Number(total),
    requestId: headers.get('x-openstack-request-id') ?? undefined,
    ...(nextMarker === undefined ? {} : { nextMarker: decodeURIComponent(nextMarker) }),
  };
}

/** Reads a header such as `published; applied=1; live=1; total=6` (RFC 9651 s3.3). */
function readPublication(header: string | null): Publication | undefined {
  if (header === null) return undefined;
  const [state = '', ...parameters] = header.split(';').map((part) => part.trim());
  const counts = Object.fromEntries(parameters.map((part) => part.split('=') as [string, string]));
  return {
    state: state === 'published' ? 'published' : 'pending',
    applied: Number(counts['applied']),
    live: Number(counts['live']),
    total: Number(counts['total']),
  };
}
