import { useEffect } from 'react';
import { useSearchParams } from 'wouter';

/** `?new=true` opens what makes something new, once: so a screen is led to by what is to be done there. */
export function useNewAsked(open: () => void): void {
  const [search, setSearch] = useSearchParams();
  const isAsked = search.get('new') === 'true';
  useEffect(() => {
    if (!isAsked) return;
    setSearch(
      (before) => {
        before.delete('new');
        return before;
      },
      { replace: true },
    );
    open();
  }, [isAsked, open, setSearch]);
}
