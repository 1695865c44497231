import type { Database } from '@zonewright/database';
import {
  type AccessKeyWithOwner,
  KEY_WITH_OWNER,
  readKeyWithOwner,
} from '../../access-keys/access-key-store.js';

/** Of ids that differ in their letter case alone none can be meant. */
const FIND_OF_TSIG = {
  name: 'find-access-key-of-tsig',
  text: `${KEY_WITH_OWNER}
     where keys.id = (select min(named.id) from identity.access_keys as named
                       where lower(named.id) = $2 and named.status = 'active' having count(*) = 1)`,
};

/** The one active access key that has this id in some letter case, with its owner and a tenant; undefined: there is none, or more than one. */
export async function findAccessKeyOfTsig(
  db: Database,
  lowerId: string,
  tenantId: string | undefined,
): Promise<AccessKeyWithOwner | undefined> {
  return await readKeyWithOwner(db, FIND_OF_TSIG, [tenantId ?? null, lowerId]);
}
