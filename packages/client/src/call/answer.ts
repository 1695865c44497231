/** How far a change has come among the nameservers, as the answer to a write told it. */
export interface Publication {
  readonly state: 'published' | 'pending';
  /** So many answer with it, are heard from, exist. */
  readonly applied: number;
  readonly live: number;
  readonly total: number;
}

/** What was answered, and what stood beside it. */
export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
  /** That the domain has after a write. */
  readonly serial: number | undefined;
  /** Where it was waited for. */
  readonly publication: Publication | undefined;
  /** Of a list that was asked for it: how many there are on all pages. */
  readonly total: number | undefined;
  readonly requestId: string | undefined;
  /** Of a list that goes on: what the next page begins behind. */
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

/** `published; applied=1; live=1; total=6` (RFC 9651 s3.3). */
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
