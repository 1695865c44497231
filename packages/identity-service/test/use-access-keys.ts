import { beforeAll } from '@jest/globals';
import {
  assignRole,
  FakeClock,
  insertAccountDomain,
  insertUser,
  type TestUser,
} from '@zonewright/testkit';
import { AccessKeysClient } from './access-keys-client.js';
import { tokenOf } from './client.js';
import { type IdentityHandle, useIdentity } from './use-identity.js';

/** Clients of several users, for the tests of each access key operation. */
export interface AccessKeysHandle {
  readonly identity: IdentityHandle;
  readonly clock: FakeClock;
  /** The client of an ordinary user. */
  readonly user: TestUser;
  readonly mine: AccessKeysClient;
  /** A client of another user in the same account domain. */
  readonly other: AccessKeysClient;
  /** A client of the administrator of that domain. */
  readonly admin: AccessKeysClient;
  /** A client of the administrator of another account domain. */
  readonly stranger: AccessKeysClient;
}

export function useAccessKeys(): AccessKeysHandle {
  const clock = new FakeClock();
  const identity = useIdentity({ clock });
  let handle: Omit<AccessKeysHandle, 'identity' | 'clock'> | undefined;

  beforeAll(async () => {
    const { db, world } = identity;
    const { accountDomainId } = world;
    const elsewhere = await insertAccountDomain(db);
    const user = await insertUser(db, { accountDomainId });
    const other = await insertUser(db, { accountDomainId });
    const stranger = await insertUser(db, { accountDomainId: elsewhere });
    await assignRole(db, { userId: stranger.id, roleId: world.roleIds.admin });
    const clientOf = async (who: TestUser) =>
      new AccessKeysClient(identity.url, await tokenOf(identity.url, who));
    handle = {
      user,
      mine: await clientOf(user),
      other: await clientOf(other),
      admin: await clientOf(world.administrator),
      stranger: await clientOf(stranger),
    };
  });

  const started = () => {
    if (handle === undefined) throw new Error('The handle does not exist before beforeAll.');
    return handle;
  };
  return {
    identity,
    clock,
    get user() {
      return started().user;
    },
    get mine() {
      return started().mine;
    },
    get other() {
      return started().other;
    },
    get admin() {
      return started().admin;
    },
    get stranger() {
      return started().stranger;
    },
  };
}
