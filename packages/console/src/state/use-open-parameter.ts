import { useEffect } from 'react';
import { useSearchParams } from 'wouter';

/** `?new=true` opens what makes something new, once: so a screen is led to by what is to be done there. `what` is another word for it. */
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
