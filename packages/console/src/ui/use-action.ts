import { useCallback, useState } from 'react';

export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => Promise<void>;
  readonly isBusy: boolean;
  /** Error of the last run. Undefined while it runs and after a success. */
  readonly error: unknown;
  readonly clear: () => void;
}

/** Action of the user. Only one run is in progress at a time, and its error is kept for the screen. */
export function useAction<Args extends readonly unknown[]>(
  perform: (...args: Args) => Promise<void>,
): Action<Args> {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: undefined,
  });
  const run = useCallback(
    async (...args: Args) => {
      setState({ isBusy: true, error: undefined });
      try {
        await perform(...args);
        setState({ isBusy: false, error: undefined });
      } catch (error) {
        setState({ isBusy: false, error });
      }
    },
    [perform],
  );
  const clear = useCallback(() => {
    setState({ isBusy: false, error: undefined });
  }, []);
  return { run, ...state, clear };
}
