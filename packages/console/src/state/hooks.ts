import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'wouter';

/** Runs `open` once if the URL contains `?new=true`, so that a link can open a dialog of a screen. `what` replaces `new`. */
export function useOpenParameter(open: () => void, what = 'new'): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.get(what) === 'true';
  useEffect(() => {
    if (!isAsked) return;
    setSearch(
      (before) => {
        before.delete(what);
        return before;
      },
      { replace: true },
    );
    open();
  }, [isAsked, open, what, setSearch]);
}

/** After the last key: a look at 10,000 lines takes the service half a second. */
const PAUSE_MS = 250;

/** A value once it stays the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return settled;
}

const narrowScreen = window.matchMedia('(max-width: 640px)');

function subscribeToWidth(listener: () => void): () => void {
  narrowScreen.addEventListener('change', listener);
  return () => {
    narrowScreen.removeEventListener('change', listener);
  };
}

/** Whether rows are shown as cards; the same width as in the style sheets. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => narrowScreen.matches);
}
