/** Where a server that listens on `host` can be reached from this machine. */
export function listeningUrl(scheme: 'http' | 'https', host: string, port: number): string {
  // A wildcard address can be listened on but not connected to everywhere.
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
