import { useQuery } from '@tanstack/react-query';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Banner } from '../../ui/banner.js';
import { MESSAGES } from './messages.js';

/** Findings that say that the domain is not delegated here. */
const ELSEWHERE = new Set(['not-delegated', 'delegated-elsewhere', 'delegation-broken']);

/** Whether the world still asks here for a domain that is to be deleted: where the check of its delegation can tell, and only there. */
export function DelegationNotice({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const { data } = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'check'],
    queryFn: ({ signal }) => clientOf(projectId).domains.check(domain.id, { signal }),
  });
  if (data?.checked.includes('delegation') !== true) return null;
  return data.findings.some(({ code }) => ELSEWHERE.has(code)) ? (
    <Banner tone="info">{t.notAsked}</Banner>
  ) : (
    <Banner tone="warn">{t.stillAsked}</Banner>
  );
}
