import { sessionQuery } from '../api/queries.js';
import { queryClient } from '../api/query-client.js';
import { forgetKept } from '../state/kept.js';
import { logOut } from '../api/session.js';

/** Logs out, and forgets what was seen. */
export async function leave(): Promise<void> {
  await logOut();
  forgetKept();
  // The cached data belongs to the user who has logged out.
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  window.location.assign('/');
}
