import { spawnSync } from 'node:child_process';
import { InputError, printable } from '@zonewright/terminal';
import type { Host } from '../command/host.js';

// Programs that store secrets in the system's keyring use one protocol: docker-credential-secretservice, -pass,
// -osxkeychain, -wincred and others (https://github.com/docker/docker-credential-helpers). A URL identifies each
// secret.

/** Time limit for a user to type a passphrase. A keyring that nobody can unlock must not block a script. */
const PATIENCE_MS = 30_000;
const MAX_OCTETS = 65_536;

interface KeptSecret {
  /** URL that no other program uses. */
  readonly url: string;
  readonly username: string;
}

/** @throws InputError if the program is missing or fails */
export function storeSecret(
  host: Host,
  helper: string,
  { url, username }: KeptSecret,
  secret: string,
): void {
  run(
    host,
    helper,
    'store',
    JSON.stringify({ ServerURL: url, Username: username, Secret: secret }),
  );
}

/** @throws InputError, also if there is no secret */
export function readStoredSecret(host: Host, helper: string, { url }: KeptSecret): string {
  const text = run(host, helper, 'get', url);
  try {
    const { Secret: secret } = JSON.parse(text) as { readonly Secret?: unknown };
    if (typeof secret === 'string' && secret !== '') return secret;
  } catch {
    // The error is thrown below, without the program's output, which may contain the secret.
  }
  throw new InputError(`docker-credential-${helper} has no secret for ${url}: log in again`);
}

/** Erases the secret. A missing secret is not an error. */
export function eraseSecret(host: Host, helper: string, { url }: KeptSecret): void {
  try {
    run(host, helper, 'erase', url);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}

/** Checks the program before a key is created. @throws InputError */
export function requireHelper(host: Host, helper: string): void {
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(helper)) {
    throw new InputError(
      `"${helper}" is not a secret storage. Use file, or the name of a credential helper (the part after docker-credential-).`,
    );
  }
  run(host, helper, 'list', '');
}

function run(host: Host, helper: string, action: string, input: string): string {
  const program = `docker-credential-${helper}`;
  const { status, stdout, stderr, error } = spawnSync(program, [action], {
    ...{ input, env: host.env, encoding: 'utf8' },
    ...{ timeout: PATIENCE_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OCTETS },
  });
  const failure: NodeJS.ErrnoException | undefined = error;
  const code = failure?.code;
  if (code === 'ENOENT') {
    throw new InputError(`program ${program} was not found; use --storage file instead`);
  }
  if (code === 'ETIMEDOUT') {
    throw new InputError(`${program} did not answer within ${PATIENCE_MS / 1000} seconds`);
  }
  if (status === 0) return stdout;
  // These programs write their errors to standard output.
  const said = printable((stderr || stdout).trim().slice(0, 200)) || `ended with ${String(status)}`;
  throw new InputError(`${program} ${action}: ${said}`);
}
