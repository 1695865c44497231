import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Runs `open` once if the URL contains `?new=true`, so that a link can open a dialog of a screen. `what` replaces
 * `new`.
 */
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

/** Delay after the last key, in milliseconds: a search of 10,000 records takes the service half a second. */
const PAUSE_MS = 250;

/** Returns a value once it has not changed for a moment. */
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

/** Whether rows are shown as cards. The width is the same as in the style sheets. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribeToWidth, () => narrowScreen.matches);
}
