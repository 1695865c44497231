/**
 * Who waits for publication, counted by tenant. A tenant may take a place as long as it has fewer than are still free: alone
 * it gets half of all, and among n tenants that want more each gets one part in n + 1, with one part left for whoever comes
 * next (dynamic thresholds, Choudhury and Hahne 1998).
 */
export class WaitingPlaces {
  readonly #capacity: number;
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Takes a place, if the tenant may have one more. */
  take(tenantId: string): boolean {
    const own = this.#taken.get(tenantId) ?? 0;
    if (own >= this.#capacity - this.#size) return false;
    this.#taken.set(tenantId, own + 1);
    this.#size++;
    return true;
  }

  /** Gives back a place that the tenant has taken. */
  leave(tenantId: string): void {
    const own = this.#taken.get(tenantId) ?? 0;
    if (own > 1) this.#taken.set(tenantId, own - 1);
    else this.#taken.delete(tenantId);
    this.#size--;
  }
}
