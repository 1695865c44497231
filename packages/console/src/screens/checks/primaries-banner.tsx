import type { Output } from '@zonewright/client';
import { useMessages } from '../../state/language.js';
import { Banner } from '../../ui/banner.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { MESSAGES } from './primaries-messages.js';

type Primaries = Output<'checkDomain'>['primaries'];

/** Why the primaries of a secondary domain do not give it, and what must change there; nothing while they do. */
export function PrimariesBanner({ primaries }: { readonly primaries: Primaries }) {
  const t = useMessages(MESSAGES);
  if (primaries === null || primaries.content === 'latest') return null;
  const { content, reason, problem, action, refreshed_at: at } = primaries;
  if (action === null && problem === null) return <Banner tone="info" title={t.awaited} />;
  // A later version of the service may give reasons that are not known here.
  const known = reason === null ? undefined : t.reasons[reason];
  return (
    <Banner tone={content === 'stale' ? 'warn' : 'bad'} title={t.contents[content]}>
      {known !== undefined && <p>{known.cause}</p>}
      <p>{known?.action ?? action}</p>
      {problem !== null && <code>{problem}</code>}
      {at !== null && (
        <p>
          <small>
            {t.confirmed} <RelativeTime at={at} />
          </small>
        </p>
      )}
    </Banner>
  );
}
