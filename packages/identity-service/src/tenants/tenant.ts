/** A tenant, also called a project (Identity s1). */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly enabled: boolean;
  readonly domain: { readonly id: string; readonly name: string };
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
