// Simulates zones whose blocks are a header, a name and a number of bytes, which is all that the image reads when it
// stores them.
const { nameToWire, parseZoneText, typeNumber } =
  await import('../../packages/dns-records/dist/index.js');
const nameserver = (path) => import(`../../packages/nameserver/dist/image/${path}`);
const { compileZone } = await nameserver('../compile/compile-zone.js');
const { UNIT_OCTETS, ZONE_APEX_LENGTH_OFFSET, ZONE_APEX_NAME_OFFSET, ZONE_WORD } =
  await nameserver('layout.js');

/** Sizes of most zones: half a kibibyte to 16. One zone in a hundred has 64, about 1,500 records. */
const LEAST_OCTETS = 256;
const LEAST_BLOCK_OCTETS = 512;
const SIZE_EXPONENTS = 6;
const LARGE_OCTETS = 65_536;
/** Counts per hundred changes. */
const REMOVALS = 2;
const IMPORTS = 10;
const CHANGES_A_SECOND = 100;
/** Size of the garbage of a patch (a node of some records), and the maximum unused part of a block (patch-zone.ts). */
const PATCH_OCTETS = 96;
const MAX_DEAD_PART = 1 / 8;

export class SimulatedZones {
  #dice = diceOf(20_261_121);
  #image;
  #scratch;
  /** Long-term and current size of each zone. 0 if it does not exist. */
  #usual = [];
  #octets = [];
  #heads = [];
  #largeZone = -1;
  /** Size of all zones. */
  live = 0;

  /** `largePart`: part of the image taken by one zone that is changed each second. 0 if there is none. */
  constructor(image, { zones, largePart }) {
    this.#image = image;
    for (let zone = 0; zone < zones; zone++) {
      const small = LEAST_OCTETS << this.#dice(SIZE_EXPONENTS);
      this.#usual.push(zone % 100 === 0 ? LARGE_OCTETS : small + this.#dice(small));
    }
    if (largePart > 0) {
      const others = this.#usual.reduce((sum, octets) => sum + octets, 0);
      this.#largeZone = this.#usual.push(Math.ceil((others * largePart) / (1 - largePart))) - 1;
    }
    const largest = this.#usual.reduce((most, octets) => Math.max(most, octets), 0);
    this.#scratch = new Uint8Array(Math.ceil(largest / UNIT_OCTETS) * UNIT_OCTETS * 4);
    for (const [zone, octets] of this.#usual.entries()) {
      this.#heads.push(headOf(`z${zone}.test.`));
      this.#octets.push(0);
      this.#resize(zone, octets);
    }
  }

  /** Makes a change: mostly a record more or less, sometimes an import, a clearing, or a new or deleted zone. */
  change(made) {
    if (this.#largeZone !== -1 && made % CHANGES_A_SECOND === 0) this.#patchLarge();
    else this.#changeAny(this.#dice(this.#usual.length - (this.#largeZone === -1 ? 0 : 1)));
  }

  #changeAny(zone) {
    const usual = this.#usual[zone];
    const octets = this.#octets[zone];
    const kind = this.#dice(100);
    if (octets === 0) this.#resize(zone, usual);
    else if (kind < REMOVALS) this.#remove(zone);
    else if (kind < REMOVALS + IMPORTS) this.#resize(zone, usual / 2 + this.#dice(usual));
    else this.#resize(zone, octets + (this.#dice(2) * 2 - 1) * 32 * this.#dice(4));
  }

  #patchLarge() {
    const usual = this.#usual[this.#largeZone];
    const octets = this.#octets[this.#largeZone];
    const isClear = octets - usual <= usual * MAX_DEAD_PART;
    this.#resize(this.#largeZone, (isClear ? octets : usual) + PATCH_OCTETS);
  }

  #remove(zone) {
    this.#image.remove(apexOf(this.#heads[zone]));
    this.live -= this.#octets[zone];
    this.#octets[zone] = 0;
  }

  #resize(zone, wanted) {
    const octets = Math.ceil(Math.max(LEAST_BLOCK_OCTETS, wanted) / UNIT_OCTETS) * UNIT_OCTETS;
    this.#scratch.set(this.#heads[zone]);
    new Int32Array(this.#scratch.buffer)[ZONE_WORD.OCTETS] = octets;
    this.#image.put(this.#scratch.subarray(0, octets));
    this.live += octets - this.#octets[zone];
    this.#octets[zone] = octets;
  }
}

function headOf(name) {
  const { records } = parseZoneText('@ 60 SOA ns. admin. 1 2 3 4 5', { origin: name });
  const [{ ownerName, type, ttl, rdata }] = records;
  const soa = { owner: nameToWire(ownerName), type: typeNumber(type), ttl, rdata };
  return compileZone({ apex: nameToWire(name), serial: 1, records: [soa] });
}

function apexOf(block) {
  const length = block[ZONE_APEX_LENGTH_OFFSET];
  return block.subarray(ZONE_APEX_NAME_OFFSET, ZONE_APEX_NAME_OFFSET + length);
}

/** Returns a function for random numbers below `limit` by xorshift. They are the same in each run. */
function diceOf(seed) {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
