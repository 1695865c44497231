/** The one pool that there is: all nameservers serve all zones. Designate gives its default pool this id. */
export const POOL_ID = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
