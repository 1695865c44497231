import {
  AA_FLAG,
  compareSerials,
  type MessageRecord,
  nameOfRecord,
  nameToWire,
  rdataToWire,
  RR_CLASS,
  RR_TYPE,
  type TsigKey,
  numbersOfSoa,
} from '@zonewright/dns-records';
import { type Primary, type SoaNumbers, type Transfer, TransferFault } from '@zonewright/zones';
import { setImmediate } from 'node:timers/promises';
import { PrimaryConnection } from './primary-connection.js';
import { TransferReader } from './transfer-reader.js';

/** Zone to transfer from a primary. */
export interface RequestedZone {
  /** The canonical name as text. */
  readonly zone: string;
  /** The primary's serial of the stored version; undefined if no version is stored. */
  readonly known: number | undefined;
  readonly key: TsigKey | undefined;
  readonly maxOctets: number;
  readonly maxRecords: number;
  readonly signal: AbortSignal;
}

/**
 * Transfers the latest version of a zone from one of its primaries. A primary with a later serial (RFC 1034, section
 * 4.3.5) sends the changes (IXFR) or the whole zone (AXFR). An older version is not transferred.
 *
 * @throws TransferFault
 */
export async function fetchZone(primary: Primary, wanted: RequestedZone): Promise<Transfer> {
  const soa = await askForSoa(primary, wanted);
  const { known } = wanted;
  if (known !== undefined && compareSerials(soa.serial, known) <= 0) return { soa };
  if (known === undefined) return await transfer(primary, wanted, undefined);
  try {
    return await transfer(primary, wanted, known);
  } catch (error) {
    if (!(error instanceof TransferFault)) throw error;
    // The primary supports IXFR incorrectly or not at all.
    return await transfer(primary, wanted, undefined);
  }
}

async function askForSoa(primary: Primary, wanted: RequestedZone): Promise<SoaNumbers> {
  const connection = PrimaryConnection.open({ ...primary, ...wanted });
  try {
    for await (const { message } of connection.ask({ questions: [question(wanted, 'SOA')] })) {
      const [soa] = message.answers;
      const isRight =
        soa?.type === RR_TYPE.SOA &&
        nameOfRecord(soa) === wanted.zone &&
        (message.flags & AA_FLAG) !== 0;
      if (!isRight)
        throw new TransferFault('not-authoritative', 'it is not authoritative for the zone');
      return numbersOf(soa);
    }
    throw new TransferFault('unreachable', 'it closed the connection');
  } finally {
    connection.close();
  }
}

async function transfer(
  primary: Primary,
  wanted: RequestedZone,
  known: number | undefined,
): Promise<Transfer> {
  const { zone, maxRecords } = wanted;
  const connection = PrimaryConnection.open({ ...primary, ...wanted });
  const reader = new TransferReader({ zone, known, maxRecords });
  const authorities = known === undefined ? [] : [soaWith(zone, known)];
  const questions = [question(wanted, known === undefined ? 'AXFR' : 'IXFR')];
  try {
    for await (const answer of connection.ask({ questions, authorities })) {
      reader.push(answer);
      if (reader.isDone) break;
      // Other work of this process can run in between.
      await setImmediate();
    }
  } finally {
    connection.close();
  }
  const { soa, records, steps } = reader;
  return {
    soa: numbersOf(soa),
    ...(records === undefined ? {} : { records }),
    ...(steps === undefined ? {} : { steps }),
  };
}

function question({ zone }: RequestedZone, type: 'SOA' | 'AXFR' | 'IXFR') {
  return { name: nameToWire(zone), type: RR_TYPE[type], class: RR_CLASS.IN };
}

/** Returns an SOA for an IXFR request; only its serial matters (RFC 1995, section 3). */
function soaWith(zone: string, serial: number): MessageRecord {
  const rdata = rdataToWire('SOA', `. . ${serial} 0 0 0 0`, null);
  return { name: nameToWire(zone), type: RR_TYPE.SOA, class: RR_CLASS.IN, ttl: 0, rdata };
}

function numbersOf({ rdata }: MessageRecord): SoaNumbers {
  const [serial = 0, refresh = 0, retry = 0, expire = 0] = numbersOfSoa(rdata);
  return { serial, refresh, retry, expire };
}
