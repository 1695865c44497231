import { Overload } from '@zonewright/service-kit';

/** Memory for something that many requests have at a time; one tenant gets a part of it. */
export class OctetBudget {
  readonly #limits: { readonly ofTenant: number; readonly ofAll: number };
  readonly #taken = new Map<string, number>();
  #sum = 0;

  constructor(limits: { readonly ofTenant: number; readonly ofAll: number }) {
    this.#limits = limits;
  }

  /** @throws Overload when there is nothing left. */
  requireSome(tenantId: string): void {
    const ofTenant = this.#taken.get(tenantId) ?? 0;
    if (ofTenant > this.#limits.ofTenant || this.#sum > this.#limits.ofAll) throw new Overload();
  }

  take(tenantId: string, octets: number): void {
    this.#taken.set(tenantId, (this.#taken.get(tenantId) ?? 0) + octets);
    this.#sum += octets;
  }

  giveBack(tenantId: string, octets: number): void {
    const left = (this.#taken.get(tenantId) ?? 0) - octets;
    if (left > 0) this.#taken.set(tenantId, left);
    else this.#taken.delete(tenantId);
    this.#sum -= octets;
  }
}
