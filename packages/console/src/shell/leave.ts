import { sessionQuery } from '../api/queries.js';
import { queryClient } from '../api/query-client.js';
import { clearSavedInput } from '../state/saved-input.js';
import { logOut } from '../api/session.js';

/** Logs out, and forgets what was seen. */
export async function leave(): Promise<void> {
  await logOut();
  clearSavedInput();
  // The cached data belongs to the user who has logged out.
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, null);
  window.location.assign('/');
}
