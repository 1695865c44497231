import { inQuotes, RdataSyntaxError } from '../values/problem.js';
import { concatOctets, readUint32, uint32sToOctets } from '../wire/octets.js';
import { endOf, type Field } from '../fields/field.js';
import { typeOfFields } from '../fields/type-of-fields.js';
import { bareText, type Word } from '../fields/words.js';

const EXAMPLE = '52 22 23.000 N 4 53 32.000 E -2.00m 1m 10000m 10m';
const LABEL = 'location';
const OCTETS = 16;
/** Wire form of latitude and longitude 0. The unit is a thousandth of a second. */
const ORIGIN = 2 ** 31;
const PER_DEGREE = 3_600_000;
/** Wire form of altitude 0. The unit is a centimetre, from 100,000 m below sea level. */
const LOWEST = 10_000_000;
const MAX_SIZE = 9e9;
const ANGLE = /^(\d{1,3})(?: (\d{1,2})(?: (\d{1,2}(?:\.\d{0,3})?))?)?$/;
/** Default size, horizontal and vertical precision, in centimetres (RFC 1876 s3). */
const DEFAULTS = [100, 1_000_000, 1_000] as const;

const location: Field = { label: LABEL, takesRest: true, toWire, fromWire };

/** Geographical location (RFC 1876 s2, s3). */
export const LOC = typeOfFields('LOC', { fields: [location], example: EXAMPLE });

function toWire(words: readonly Word[]): Uint8Array {
  const rest = words.map((word) => bareText(LABEL, word).toUpperCase());
  const latitude = takeAngle(rest, 'N', 'S', 90);
  const longitude = takeAngle(rest, 'E', 'W', 180);
  const altitude = takeMetres(rest, 'altitude', -LOWEST, 2 ** 32 - 1 - LOWEST);
  const sizes = DEFAULTS.map((size) =>
    rest.length === 0 ? size : takeMetres(rest, 'size or precision', 0, MAX_SIZE),
  );
  if (rest.length > 0)
    throw fault(`has the unexpected text ${inQuotes(rest.join(' '))} at its end`);
  return concatOctets([
    Uint8Array.of(0, ...sizes.map(toSizeOctet)),
    uint32sToOctets(ORIGIN + latitude, ORIGIN + longitude, LOWEST + altitude),
  ]);
}

/** Removes `degrees [minutes [seconds]] letter` from the start of `rest`, and returns it in thousandths of a second. */
function takeAngle(rest: string[], plus: string, minus: string, most: number): number {
  const end = rest.findIndex((word) => word === plus || word === minus);
  const angle = readAngle(end === -1 ? [] : rest.splice(0, end));
  const letter = rest.shift();
  if (angle <= most * PER_DEGREE) return letter === minus ? -angle : angle;
  throw fault(`must have an angle of at most ${most} degrees, followed by ${plus} or ${minus}`);
}

/** Returns NaN if the angle is invalid. */
function readAngle(words: readonly string[]): number {
  const [, degrees = '', minutes = '0', seconds = '0'] = ANGLE.exec(words.join(' ')) ?? [];
  if (degrees === '' || Number(minutes) >= 60 || Number(seconds) >= 60) return NaN;
  return (
    Number(degrees) * PER_DEGREE + Number(minutes) * 60_000 + Math.round(Number(seconds) * 1_000)
  );
}

/** Removes the first word of `rest`, a number of metres, and returns it in centimetres. */
function takeMetres(rest: string[], what: string, least: number, most: number): number {
  const word = rest.shift() ?? '';
  const centimetres = /^-?\d{1,8}(?:\.\d{0,2})?M?$/.test(word)
    ? Math.round(Number.parseFloat(word) * 100)
    : NaN;
  if (centimetres >= least && centimetres <= most) return centimetres;
  throw fault(
    `has the ${what} ${inQuotes(word)}, which is not between ${least / 100}m and ${most / 100}m`,
  );
}

/** Returns one decimal digit and a power of ten, rounded down (RFC 1876 s2). */
function toSizeOctet(centimetres: number): number {
  const power = centimetres < 10 ? 0 : String(centimetres).length - 1;
  return (Math.floor(centimetres / 10 ** power) << 4) | power;
}

function fault(what: string): RdataSyntaxError {
  return new RdataSyntaxError(`The ${LABEL} ${what}; write for example ${inQuotes(EXAMPLE)}.`);
}

function fromWire(wire: Uint8Array, at: number) {
  const end = endOf(LABEL, wire, at, OCTETS);
  const octets = wire.subarray(at, end);
  const [version = 0, ...sizes] = octets.subarray(0, 4);
  if (version !== 0) {
    throw new RdataSyntaxError(
      `The ${LABEL} has the version ${version}; only version 0 is supported.`,
    );
  }
  const texts = [
    angleText(readUint32(octets, 4) - ORIGIN, 'N', 'S', 90),
    angleText(readUint32(octets, 8) - ORIGIN, 'E', 'W', 180),
    metresText(readUint32(octets, 12) - LOWEST),
    ...sizes.map((octet) => metresText(fromSizeOctet(octet))),
  ];
  return { text: texts.join(' '), end };
}

function angleText(angle: number, plus: string, minus: string, most: number): string {
  const size = Math.abs(angle);
  if (size > most * PER_DEGREE) {
    throw new RdataSyntaxError(`The ${LABEL} has an angle of more than ${most} degrees.`);
  }
  const minutes = Math.floor((size % PER_DEGREE) / 60_000);
  const seconds = ((size % 60_000) / 1_000).toFixed(3);
  return `${Math.floor(size / PER_DEGREE)} ${minutes} ${seconds} ${angle < 0 ? minus : plus}`;
}

function metresText(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`;
}

function fromSizeOctet(octet: number): number {
  const [digit, power] = [octet >> 4, octet & 0xf];
  // Zero has only one valid form: a zero digit needs a zero power.
  if (digit > 9 || power > 9 || (digit === 0 && power > 0)) {
    throw new RdataSyntaxError(`The ${LABEL} has a size or precision that is not a number.`);
  }
  return digit * 10 ** power;
}
