import type { Output } from '@zonewright/client';

/** One step of a domain's serial, with all that it changed. */
export type Changeset = NonNullable<Output<'listChanges'>['steps']>[number];
