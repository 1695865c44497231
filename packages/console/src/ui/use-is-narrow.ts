import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(max-width: 640px)');

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

/** Whether rows are shown as cards; the same width as in the style sheets. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
