/** How --allow-weak-password is explained. */
export const ALLOW_WEAK_HELP = 'take a password that is short: of an account that moves in, say';
