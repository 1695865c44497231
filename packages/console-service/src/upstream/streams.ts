import type { EventEmitter } from 'node:events';
import { FairSlots, Overload } from '@zonewright/service-kit';

/** More tabs than one user has open. */
const MAX_OF_USER = 64;

/** User and project of a stream. */
interface StreamOwner {
  readonly userId: string;
  readonly projectId: string;
}

/** Event streams, which may last for hours. Users and projects share them. */
export class Streams {
  readonly #ofUsers: FairSlots;
  readonly #ofProjects: FairSlots;

  constructor(total: number) {
    this.#ofUsers = new FairSlots({ total, perOwner: MAX_OF_USER });
    this.#ofProjects = new FairSlots({ total });
  }

  get open(): number {
    return this.#ofUsers.taken;
  }

  /** Takes a slot until the response closes. @throws Overload if the user or the project has its share already */
  take(response: Pick<EventEmitter, 'once'>, { userId, projectId }: StreamOwner): void {
    if (!this.#ofUsers.tryEnter(userId)) throw new Overload();
    if (!this.#ofProjects.tryEnter(projectId)) {
      this.#ofUsers.leave(userId);
      throw new Overload();
    }
    response.once('close', () => {
      this.#ofUsers.leave(userId);
      this.#ofProjects.leave(projectId);
    });
  }
}
