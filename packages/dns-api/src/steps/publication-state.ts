import type { PublicationCount } from '@zonewright/zones';

export function stateOf({ isPublished }: PublicationCount): 'published' | 'pending' {
  return isPublished ? 'published' : 'pending';
}
