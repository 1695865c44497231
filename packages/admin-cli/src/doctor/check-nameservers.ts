import {
  findNameserverDomain,
  listNameservers,
  listNameserverStates,
  listRecentZones,
  type Nameserver,
  type NameserverState,
} from '@zonewright/zones';
import { explainNoAnswer, queryServerId, resolveTarget, SerialAsker } from './ask-nameserver.js';
import { type Check, error, type Examination, type Finding, ok, warning } from './finding.js';

const AREA = 'nameservers';
/** A nameserver reports its status each second, so it counts as silent after this time. */
const SILENT_SECONDS = 10;
const ZONES_ASKED = 5;

interface Fleet {
  readonly listed: readonly Nameserver[];
  readonly states: readonly NameserverState[];
}

/** Checks that the listed nameservers run, are in step, and answer with the data of the database. */
export const checkNameservers: Check = async (examination) => {
  const fleet = {
    listed: await listNameservers(examination.db),
    states: await listNameserverStates(examination.db),
  };
  if (fleet.listed.length === 0) {
    return [
      error(
        AREA,
        'The list of nameservers is empty.',
        'Run zonewright-admin bootstrap, or nameserver add.',
      ),
    ];
  }
  const findings = [
    ...fleet.listed.flatMap((server) => judgeListed(server, fleet)),
    ...fleet.states.flatMap((state) => judgeState(state, fleet)),
  ];
  const answers = await Promise.all(
    fleet.states.filter(isAlive).map((state) => askNameserver(state, fleet, examination)),
  );
  return [...findings, ...answers.flat()];
};

function isAlive({ silentSeconds }: NameserverState): boolean {
  return silentSeconds < SILENT_SECONDS;
}

/** A process is named by the first label or by the whole name. */
function isOf(state: NameserverState, server: Nameserver): boolean {
  return server.name === state.name || server.name.startsWith(`${state.name}.`);
}

function judgeListed(server: Nameserver, { listed, states }: Fleet): Finding[] {
  if (server.ipv4 === null && server.ipv6 === null) {
    return [
      warning(
        AREA,
        `${server.name} has no address.`,
        `zonewright-admin nameserver set ${server.name} --ipv4 ...`,
      ),
    ];
  }
  if (states.some((state) => isOf(state, server))) return [];
  const twin = listed.find(
    (other) =>
      other.ipv4 === server.ipv4 &&
      other.ipv6 === server.ipv6 &&
      states.some((state) => isOf(state, other) && isAlive(state)),
  );
  if (twin !== undefined) return [];
  return [
    warning(
      AREA,
      `${server.name} is in the list, but no process of this name has ever reported.`,
      `Start it with NAMESERVER_NAME=${server.name.split('.')[0] ?? ''}, or remove it from the list: zonewright-admin nameserver remove ${server.name}.`,
    ),
  ];
}

function judgeState(state: NameserverState, { listed }: Fleet): Finding[] {
  const { name, silentSeconds, missing, ahead } = state;
  const isListed = listed.some((server) => isOf(state, server));
  if (!isAlive(state)) {
    // The nameserver is no longer listed, so resolvers do not query it.
    if (!isListed) {
      return [
        ok(
          AREA,
          `${name} is not in the list and has not reported for ${Math.round(silentSeconds)} s; nameserver remove ${name} deletes its status.`,
        ),
      ];
    }
    return [
      error(
        AREA,
        `${name} has not reported for ${Math.round(silentSeconds)} s.`,
        `Check that its process is running and can reach PostgreSQL. If it was removed permanently: zonewright-admin nameserver remove ${name}.`,
      ),
    ];
  }
  if (ahead > 0) {
    return [
      error(
        AREA,
        `${name} answers for ${ahead} domains with later serials than those of the database, which has lost changes in a failover or a restore.`,
        'dns-api increases these serials within a second: check that it is running and, for signed domains, that the signer is running. The log of dns-api has the cause if it cannot.',
      ),
    ];
  }
  if (missing > 0) {
    return [
      error(
        AREA,
        `${name} is running, but has not applied ${missing} of the last changes, some of them older than 10 s.`,
        'Check its log for errors when reading the feed.',
      ),
    ];
  }
  if (isListed) return [];
  return [
    warning(
      AREA,
      `${name} is running, but is not in the list, so no zone has it in its NS records.`,
      `zonewright-admin nameserver add ${name} --ipv4 ..., or stop it.`,
    ),
  ];
}

/** Queries the SOA of the nameserver domain and of the zones that changed last. */
async function askNameserver(
  state: NameserverState,
  fleet: Fleet,
  { db, settings }: Examination,
): Promise<Finding[]> {
  const target = targetOf(state, fleet, settings.doctor.nameservers);
  if (target === undefined) {
    return [
      ok(
        AREA,
        `${state.name} is up to date; the address to query it is unknown (DOCTOR_NAMESERVERS).`,
      ),
    ];
  }
  const domain = await findNameserverDomain(db);
  const zones = await listRecentZones(db, ZONES_ASKED);
  const expected = domain === undefined ? zones : [domain, ...zones];
  const place = await resolveTarget(target);
  const serverId = await queryServerId(place);
  const mistaken = judgeServerId(state, target, serverId, fleet);
  if (mistaken !== undefined) return [mistaken];
  const asker = new SerialAsker(place);
  for (const { name, serial } of expected) {
    const answered = await asker
      .ask(name)
      .catch((failure: unknown) => failure as { code?: string });
    const problem = judgeAnswer({ state, target, name, serial, answered });
    if (problem !== undefined) return [problem];
  }
  return [
    ok(
      AREA,
      `${state.name} at ${target} is up to date and answers with the serials of the database.`,
    ),
  ];
}

/**
 * Reports that another listed nameserver responds at the address of this one. Any other name is allowed
 * (NAMESERVER_ID).
 */
function judgeServerId(
  { name }: NameserverState,
  target: string,
  serverId: string | undefined,
  { listed, states }: Fleet,
): Finding | undefined {
  if (serverId === undefined || isSameServer(serverId, name)) return undefined;
  const others = [...listed, ...states].filter((other) => !isSameServer(other.name, name));
  if (!others.some((other) => isSameServer(other.name, serverId))) return undefined;
  return error(
    AREA,
    `At ${target}, ${serverId} answers instead of ${name}.`,
    `Correct its address (zonewright-admin nameserver set ${name} --ipv4 ...), DOCTOR_NAMESERVERS, or the forwarding of its port.`,
  );
}

/** Treats `ns1-1` and `ns1-1.example.net.` as equal. */
function isSameServer(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const name = short.replace(/\.$/, '');
  return long === name || long.startsWith(`${name}.`);
}

interface Answer {
  readonly state: NameserverState;
  readonly target: string;
  readonly name: string;
  readonly serial: number;
  readonly answered: number | { readonly code?: string };
}

function judgeAnswer({ state, target, name, serial, answered }: Answer): Finding | undefined {
  if (typeof answered !== 'number') {
    return error(
      AREA,
      `${state.name} at ${target} does not answer for ${name} (${answered.code ?? 'no reason'}).`,
      explainNoAnswer(answered.code),
    );
  }
  if (answered > serial) {
    return error(
      AREA,
      `${state.name} answers for ${name} with serial ${answered}, which is later than serial ${serial} of the database.`,
      'The database lost changes in a restore or a failover. dns-api increases the serial within a second: check that it is running. Without dns-api: zonewright-admin feed reset --new-serials.',
    );
  }
  if (answered < serial) {
    return error(
      AREA,
      `${state.name} answers for ${name} with serial ${answered}; the database has had serial ${serial} for more than 10 s.`,
      'Check its log for a zone that could not be loaded.',
    );
  }
  return undefined;
}

/** Returns the address that the operator configured, that the nameserver reports, or that the DNS has. */
function targetOf(
  state: NameserverState,
  { listed }: Fleet,
  given: readonly string[],
): string | undefined {
  const entry = given.find((each) => each.startsWith(`${state.name}=`));
  if (entry !== undefined) return entry.slice(state.name.length + 1);
  return isListeningEverywhere(state)
    ? addressOf(listed.find((server) => isOf(state, server)))
    : state.address;
}

function isListeningEverywhere({ address }: NameserverState): boolean {
  return ['', '0.0.0.0', '[::]', '::'].includes(address.replace(/:\d+$/, ''));
}

function addressOf(server: Nameserver | undefined): string | undefined {
  return server?.ipv4 ?? server?.ipv6 ?? undefined;
}
