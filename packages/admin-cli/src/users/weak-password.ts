/** What follows upon the refusal of a weak password. */
export const ALLOW_WEAK_REMEDY = '; --allow-weak-password takes this one all the same';
/** How --allow-weak-password is explained. */
export const ALLOW_WEAK_HELP = 'take a password that is short: of an account that moves in, say';
