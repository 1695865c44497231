/** On whose behalf a request is made: what is kept of a valid, scoped token. */
export interface Caller {
  readonly userId: string;
  readonly tenantId: string;
}
