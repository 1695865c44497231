/** A tenant, also called a project (Identity s1). */
export interface Tenant {
  readonly id: string;
  readonly accountDomainId: string;
  readonly accountDomainName: string;
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What an operator may change of a tenant at any time. */
export type TenantDescription = Pick<Tenant, 'name' | 'displayName' | 'description'>;
