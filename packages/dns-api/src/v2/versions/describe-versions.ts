/** Version 2 by both names that Designate gives it: its clients look for the current one. */
export function describeV2Versions(baseUrl: string) {
  return [
    describeV2Version(baseUrl, 'v2', 'SUPPORTED'),
    describeV2Version(baseUrl, 'v2.0', 'CURRENT'),
  ];
}

export function describeV2Version(baseUrl: string, id: string, status: 'SUPPORTED' | 'CURRENT') {
  return {
    id,
    status,
    updated: '2026-11-22T00:00:00Z',
    links: [{ rel: 'self', href: `${baseUrl}/v2` }],
  };
}
