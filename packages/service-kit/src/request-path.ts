/**
 * The path of a request target as routes know it: repeated slashes collapse and a trailing slash is
 * dropped, since old clients send `/v1//domains` and `/auth/v1.0/` (decisions 1.1). The query is kept.
 */
export function normalizeRequestTarget(target: string): string {
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? '' : target.slice(question);
  const collapsed = path.replaceAll(/\/{2,}/g, '/');
  const trimmed =
    collapsed.length > 1 && collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
  return trimmed + query;
}
