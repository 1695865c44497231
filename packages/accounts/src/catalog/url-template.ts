import { ServiceError } from '@zonewright/service-kit';

/** The only thing that an endpoint's URL can leave open (decisions 2, "Catalog"). */
export const TENANT_PLACEHOLDER = '%(tenant_id)s';

/**
 * An endpoint's URL: absolute, http or https, with %(tenant_id)s where the tenant of the token is to stand.
 *
 * @throws ServiceError invalid
 */
export function parseUrlTemplate(what: string, template: string): string {
  const filled = template.replaceAll(TENANT_PLACEHOLDER, 'tenant');
  const isHttp = URL.canParse(filled) && /^https?:$/.test(new URL(filled).protocol);
  if (!isHttp || /\s|%\(/.test(filled)) {
    throw new ServiceError(
      'invalid',
      `${what} must be an absolute http or https URL, in which only ${TENANT_PLACEHOLDER} is replaced`,
    );
  }
  return template;
}
