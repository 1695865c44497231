import type { DnsEvent } from '@zonewright/client';
import { useEffect } from 'react';
import { clientOf } from '../api/client.js';
import { keys, refreshDomain } from '../api/queries.js';
import { isOwnChange, queryClient, refetch } from '../api/query-client.js';
import { rememberPublication } from '../api/publication.js';
import { paths } from '../state/paths.js';
import { count, defineMessages, languageStore } from '../state/language.js';
import { passwordChangeStore } from '../api/session.js';
import { useStore } from '../state/store.js';
import { showToast } from '../ui/toasts.js';

const MESSAGES = defineMessages({
  en: {
    changed: (who: string, number: number, name: string) =>
      `${who} changed ${count(number, 'record', 'records')} in ${name}`,
  },
  de: {
    changed: (who: string, number: number, name: string) =>
      `${who} hat ${count(number, 'Eintrag', 'Einträge')} von ${name} geändert`,
  },
});

/** Shows changes of other users and the publication of each change as they happen. */
export function useLiveEvents(projectId: string): void {
  const isPaused = useStore(passwordChangeStore);
  useEffect(() => {
    if (isPaused) return;
    const left = new AbortController();
    void follow(projectId, left.signal);
    return () => {
      left.abort();
      // Events may have been missed while the stream was closed.
      void queryClient.invalidateQueries({
        queryKey: keys.project(projectId),
        refetchType: 'none',
      });
    };
  }, [projectId, isPaused]);
}

async function follow(projectId: string, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of clientOf(projectId).events({ signal })) take(projectId, event);
  } catch {
    // Without events, the screens send their own queries, which also report errors.
  }
}

function take(projectId: string, event: DnsEvent): void {
  switch (event.event) {
    case 'listening':
      return;
    case 'gap':
      void refetch(keys.project(projectId));
      return;
    case 'publication':
      rememberPublication(projectId, event.data);
      return;
    case 'change': {
      const {
        domain_id: domainId,
        domain_name: name,
        serial_after: serial,
        user_name: who,
        counts = {},
      } = event.data;
      // This window has already shown its own changes.
      if (isOwnChange(domainId, serial)) return;
      void refreshDomain(projectId, domainId);
      const open = `${location.pathname}/`.toLowerCase();
      const isSeen = open.startsWith(`${paths.records(projectId, name)}/`.toLowerCase());
      if (!isSeen || who == null) return;
      const number = Object.values(counts).reduce((sum, each) => sum + each, 0);
      showToast({
        text: MESSAGES[languageStore.get()].changed(who, number, name.replace(/\.$/, '')),
      });
    }
  }
}
