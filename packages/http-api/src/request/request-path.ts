/**
 * The path of a request target as routes know it: repeated slashes collapse and a trailing slash is
 * dropped, since old clients send `/v1//domains` and `/auth/v1.0/` (decisions 1.1). The query is kept. Of a
 * target in absolute form (RFC 9112 s3.2.2) scheme and host are dropped.
 */
export function normalizeRequestTarget(target: string): string {
  if (isNormal(target)) return target;
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const question = local.indexOf('?');
  const path = question === -1 ? local : local.slice(0, question);
  const query = question === -1 ? '' : local.slice(question);
  const collapsed = path.replaceAll(/\/{2,}/g, '/');
  const trimmed = collapsed.endsWith('/') ? collapsed.slice(0, -1) : collapsed;
  return (trimmed === '' ? '/' : trimmed) + query;
}

/** Whether there is nothing to do, as for nearly all requests: found out without a regular expression. */
function isNormal(target: string): boolean {
  return (
    target.startsWith('/') &&
    !target.includes('//') &&
    !target.includes('?') &&
    (target.length === 1 || !target.endsWith('/'))
  );
}
