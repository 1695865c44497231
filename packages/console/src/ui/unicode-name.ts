const BASE = 36;
const LIMITS = { min: 1, max: 26, skew: 38, damp: 700, bias: 72, start: 128 } as const;

/** Returns a domain name for reading: labels that begin with `xn--` are shown in their own script (RFC 3492). */
export function toUnicodeName(name: string): string {
  return name
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label))
    .join('.');
}

/** Decodes Punycode (RFC 3492 s6.2). Undefined if the text is not valid Punycode. */
function decode(text: string): string | undefined {
  const at = text.lastIndexOf('-');
  const output = at > 0 ? Array.from(text.slice(0, at), (letter) => letter.charCodeAt(0)) : [];
  let [code, position, bias]: [number, number, number] = [LIMITS.start, 0, LIMITS.bias];
  for (let index = at > 0 ? at + 1 : 0; index < text.length;) {
    const before = position;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(index++));
      if (digit === undefined) return undefined;
      position += digit * weight;
      const threshold = Math.min(Math.max(k - bias, LIMITS.min), LIMITS.max);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(position - before, length, before === 0);
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10ffff) return undefined;
    output.splice(position++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 22;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return undefined;
}

/** Adapts the bias (RFC 3492 s6.1). */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / LIMITS.damp) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - LIMITS.min) * LIMITS.max) >> 1; k += BASE)
    rest = Math.floor(rest / (BASE - LIMITS.min));
  return k + Math.floor(((BASE - LIMITS.min + 1) * rest) / (rest + LIMITS.skew));
}
