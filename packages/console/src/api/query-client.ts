import { QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * The client has already retried. A failed query is shown with a button, and is repeated when the window gets the
 * focus.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Refetches all visible data of a key. A request in flight may have read the data from before the change. It is awaited
 * and then repeated, not cancelled: a stream of changes must not prevent a result forever.
 */
export async function refetch(queryKey: QueryKey): Promise<void> {
  const isUnderWay = queryClient.isFetching({ queryKey }) > 0;
  const ask = () => queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
  await ask();
  if (isUnderWay) await ask();
}

/** Maximum number of changes by this window for which events may still arrive. */
const MOST = 100;

let own: string[] = [];
/** Number of unanswered writes of this window. An event may arrive before the response. */
let open = 0;

/** Performs a write. Its event is later ignored. */
export async function doOwn<T extends { readonly serial: number | undefined }>(
  domainId: string,
  write: () => Promise<T>,
): Promise<T> {
  open += 1;
  try {
    const answer = await write();
    own = [...own, `${domainId} ${answer.serial ?? ''}`].slice(-MOST);
    return answer;
  } finally {
    open -= 1;
  }
}

export function isOwnChange(domainId: string, serial: number): boolean {
  return open > 0 || own.includes(`${domainId} ${serial}`);
}
