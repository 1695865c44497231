const STRUCK = '***';
const SECRET = /password|secret|token|private/i;
/** Has a name beside the secret, which has a name of its own. */
const GROUP = /credentials$/i;
/** Longer ones would hide what is around them. */
const LONGEST_BODY = 2_000;

/** Without what lets somebody in: a token in the path, as the identity service has it, and a password before the host. */
export function strikeUrl(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/@]*@/, `$1${STRUCK}@`)
    .replace(/(\/tokens\/)[^/?]+/, `$1${STRUCK}`);
}

export function strikeHeader([name, value]: readonly [string, string]): [string, string] {
  return [name, SECRET.test(name) ? STRUCK : value];
}

/** JSON without the values of members that are secret by their names; of what is no JSON only the length. */
export function strikeBody(body: string): string {
  let struck: string;
  try {
    struck = JSON.stringify(
      JSON.parse(body, (name, value: unknown) => {
        return SECRET.test(name) && !GROUP.test(name) ? STRUCK : value;
      }),
    );
  } catch {
    return `${body.length} characters`;
  }
  if (struck.length <= LONGEST_BODY) return struck;
  return `${struck.slice(0, LONGEST_BODY)}... ${struck.length} characters`;
}
