import type { PublicationCount } from '@zonewright/zones';
import { stateOf } from '../steps/publication-state.js';

/**
 * What an answer that waited says of the publication: as a token with parameters (RFC 9651 s3.3), and in the shorter form that
 * came first, which cannot tell nameservers that are late from those that are switched off.
 */
export function renderPublicationHeaders(count: PublicationCount): Record<string, string> {
  const { applied, live, total } = count;
  return {
    'X-Zonewright-Published': `${applied}/${total}`,
    'X-Zonewright-Publication': `${stateOf(count)}; applied=${applied}; live=${live}; total=${total}`,
  };
}
