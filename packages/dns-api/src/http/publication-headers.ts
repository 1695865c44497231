import type { PublicationCount } from '@zonewright/zones';
import { stateOf } from '../steps/publication-state.js';

/**
 * Headers with the publication, after a wait: a token with parameters (RFC 9651 s3.3), and an older, shorter form. The latter does not
 * distinguish late nameservers from those that are switched off.
 */
export function renderPublicationHeaders(count: PublicationCount): Record<string, string> {
  const { applied, live, total } = count;
  return {
    'X-Zonewright-Published': `${applied}/${total}`,
    'X-Zonewright-Publication': `${stateOf(count)}; applied=${applied}; live=${live}; total=${total}`,
  };
}
