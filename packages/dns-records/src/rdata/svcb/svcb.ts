import { readUint16 } from '../../wire/octets.js';
import { nameEnd } from '../../wire/wire-to-name.js';
import { domainName } from '../../fields/names.js';
import { uint16 } from '../../fields/numbers.js';
import { typeOfFields } from '../../fields/type-of-fields.js';
import { ALPN, DOHPATH, keyName, MANDATORY, NO_DEFAULT_ALPN, readKeys } from './svc-keys.js';
import { readSvcParams, svcParams } from './svc-params.js';

const TARGET_OFFSET = 2;

const binding = {
  fields: [
    uint16('priority'),
    // The target's letter case is preserved (RFC 9460 s2.2), since RFC 4034 s6.2 does not list these types.
    domainName('target', { isLowered: false, isHost: true, mayBeRoot: true }),
    svcParams,
  ],
  example: '1 . alpn=h2,h3',
  rule: checkBinding,
};

/** Location and parameters of a service (RFC 9460 s2). */
export const SVCB = typeOfFields('SVCB', binding);

/** Location and parameters of a web server (RFC 9460 s9). */
export const HTTPS = typeOfFields('HTTPS', binding);

function checkBinding(wire: Uint8Array): string | undefined {
  const params = new Map(
    readSvcParams(wire, nameEnd(wire, TARGET_OFFSET)).map(({ key, value }) => [key, value]),
  );
  // An alias has only a target (RFC 9460 s2.4.2).
  if (readUint16(wire, 0) === 0 && params.size > 0) {
    return 'is an alias (priority 0), which cannot have parameters; remove the parameters, or write a priority of at least 1';
  }
  const required = readKeys(params.get(MANDATORY) ?? new Uint8Array());
  const wrong = required.find((key) => key === MANDATORY || !params.has(key));
  if (wrong === MANDATORY) return 'lists mandatory in mandatory; remove it there';
  if (wrong !== undefined) {
    return `lists ${keyName(wrong)} in mandatory, but has no such parameter; add the parameter, or remove it from mandatory`;
  }
  if (params.has(NO_DEFAULT_ALPN) && !params.has(ALPN)) {
    return 'has no-default-alpn without alpn; add alpn, such as alpn=h2';
  }
  return checkDohpath(params.get(DOHPATH));
}

/** Checks a relative URI template with the variable `dns` (RFC 9461 s5). */
function checkDohpath(value: Uint8Array | undefined): string | undefined {
  const isSound =
    value === undefined || /^\/.*\{[^}]*\bdns\b[^}]*\}/.test(Buffer.from(value).toString());
  return isSound
    ? undefined
    : 'has a dohpath that is not a path with the variable dns; write for example dohpath=/dns-query{?dns}';
}
