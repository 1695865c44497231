import { invalidRequest, isUuid } from '@zonewright/service-kit';

/** @throws ServiceError `invalid` for a filter that is not an id */
export function uuidFilterOf(path: string, text: string | undefined): string | undefined {
  if (text === undefined || isUuid(text)) return text?.toLowerCase();
  const message = `${path} is ${JSON.stringify(text)}; ids are UUIDs.`;
  throw invalidRequest([{ path, validator: 'format', message }]);
}
