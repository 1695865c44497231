import { ServiceError } from '@zonewright/service-kit';
import { getZone } from '@zonewright/zones';
import type { Operation } from '../../http/operation.js';
import { ofV2 } from '../http/operation.js';

/** Operations of Designate on zones that this service refuses, with the reason. */
const DECLINED = [
  {
    id: 'abandonZone',
    name: 'Abandon Zone (v2)',
    task: 'abandon',
    why: 'A zone cannot be left to nameservers without its rows: they serve what is stored here. Delete the zone.',
  },
  {
    id: 'moveZoneToPool',
    name: 'Move Zone to Another Pool (v2)',
    task: 'pool_move',
    why: 'There is one pool, which holds all zones; none can be moved.',
  },
] as const;

export const DECLINED_OPERATIONS: readonly Operation[] = ofV2(
  DECLINED.map(({ id, name, task, why }) => ({
    id,
    name,
    method: 'POST' as const,
    path: `/zones/{zoneId}/tasks/${task}`,
    access: 'tenant' as const,
    body: 'none' as const,
    handle: async ({ db }, { caller, params }) => {
      await getZone(db, caller, params['zoneId'] ?? '');
      throw new ServiceError('forbidden', why);
    },
  })),
);
