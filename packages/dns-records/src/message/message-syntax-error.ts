/** The octets are no message (FORMERR); the text says why. */
export class MessageSyntaxError extends Error {}
