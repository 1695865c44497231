import { ServiceError } from '@zonewright/service-kit';

/** The only placeholder in the URL of an endpoint (D-ID). */
export const TENANT_PLACEHOLDER = '%(tenant_id)s';

/**
 * Parses the URL of an endpoint: absolute, http or https, with %(tenant_id)s for the tenant of the token.
 *
 * @throws ServiceError invalid
 */
export function parseUrlTemplate(what: string, template: string): string {
  const filled = template.replaceAll(TENANT_PLACEHOLDER, 'tenant');
  const isHttp = URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol);
  if (!isHttp || /\s|%\(/.test(filled)) {
    throw new ServiceError(
      'invalid',
      `${what} must be an absolute http or https URL, without placeholders other than ${TENANT_PLACEHOLDER}`,
    );
  }
  return template;
}
