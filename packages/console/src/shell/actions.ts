import { useLocation } from 'wouter';
import { type ListedDomain, sessionQuery } from '../api/queries.js';
import { queryClient } from '../api/query-client.js';
import { logOut } from '../api/session.js';
import { useMessages } from '../state/language.js';
import { paths } from '../state/paths.js';
import { clearSavedInput, THEMES, themeStore, useStore } from '../state/store.js';
import { download } from '../ui/save-file.js';
import { runUndo, undoStore } from '../ui/toasts.js';
import { toUnicodeName } from '../ui/unicode-name.js';
import { MESSAGES } from './messages.js';

export interface Choice {
  readonly text: string;
  /** Kind or location of the choice. */
  readonly hint: string;
  readonly run: () => void;
}

/** Returns actions that are available on all screens, and those of the open domain. */
export function useActions(projectId: string, domain: ListedDomain | undefined): readonly Choice[] {
  const t = useMessages(MESSAGES);
  const [, navigate] = useLocation();
  const offer = useStore(undoStore);
  const hint = domain === undefined ? '' : toUnicodeName(domain.name.replace(/\.$/, ''));
  const go = (path: string) => () => {
    navigate(`${path}?new=true`);
  };
  return [
    ...(offer?.action === undefined
      ? []
      : [
          {
            text: offer.action.label,
            hint: offer.text,
            run: () => {
              runUndo(offer);
            },
          },
        ]),
    ...(domain === undefined
      ? []
      : [
          {
            text: t.newRecord,
            hint,
            run: go(paths.records(projectId, domain.name)),
          },
          {
            text: t.exportZone,
            hint,
            run: () => {
              download(...paths.zoneFile(projectId, domain));
            },
          },
        ]),
    { text: t.newDomain, hint: '', run: go(paths.domains(projectId)) },
    { text: t.newKey, hint: '', run: go(paths.keys(projectId)) },
    ...THEMES.map((theme) => ({
      text: `${t.theme}: ${t.themes[theme]}`,
      hint: '',
      run: () => {
        themeStore.set(theme);
      },
    })),
    { text: t.logOut, hint: '', run: () => void leave() },
  ];
}

/** Logs out and clears all cached data. */
export async function leave(): Promise<void> {
  await logOut();
  clearSavedInput();
  // The cached data belongs to the user who has logged out.
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  window.location.assign('/');
}
