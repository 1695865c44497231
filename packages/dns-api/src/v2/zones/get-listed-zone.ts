import { findListedZone, type ListedZone, zoneNotFound } from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { ProjectRequest } from '../http/project-request.js';

export function zoneIdOf({ params }: ProjectRequest): string {
  return params['zoneId'] ?? '';
}

/** The zone that the path names. @throws ServiceError `not-found`. */
export async function getListedZone(
  db: Context['db'],
  request: ProjectRequest,
): Promise<ListedZone> {
  const zone = await findListedZone(db, request.caller, zoneIdOf(request));
  if (zone === undefined) throw zoneNotFound();
  return zone;
}
