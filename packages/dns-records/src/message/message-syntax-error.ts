/** The octets are not a DNS message (FORMERR); the text says why. */
export class MessageSyntaxError extends Error {}
