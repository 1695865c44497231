/** Those of the roles that the operator alone gives: the administrator of an account domain must not gain them by acting as their holder. */
export function higherRoles(
  names: readonly string[],
  grantableRoles: readonly string[],
): readonly string[] {
  return names.filter((name) => !grantableRoles.includes(name));
}
