/** On whose behalf a request is made: what is kept of a valid, scoped token. */
export interface Caller {
  readonly userId: string;
  readonly tenantId: string;
  /** Names of the roles that the user has there. */
  readonly roles: readonly string[];
}
