import { QueryClient, type QueryKey } from '@tanstack/react-query';

/** The client below has tried already; what failed is shown with a button, and asked again when the window comes back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Asks anew for all of a key that is shown. What is under way may have been read before the change: it is waited for, since many
 * changes must not keep it from ever arriving, and asked for once more.
 */
export async function askAnew(queryKey: QueryKey): Promise<void> {
  const isUnderWay = queryClient.isFetching({ queryKey }) > 0;
  const ask = () => queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  await ask();
  if (isUnderWay) await ask();
}
