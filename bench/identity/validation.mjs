// Measures the validation of a token, which services perform for each of their requests.
import { summarize } from '../lib/rounds.mjs';
import { startBare } from './bare.mjs';
import { logIn } from '../lib/tenant.mjs';
import { HIGH_LIMITS } from './platform.mjs';
import { revokeManyTokens, waitUntilRedisIsFilled } from './revoked-tokens.mjs';
import { range, whole, percent, milliseconds } from './report.mjs';
import { Requests } from './wrk.mjs';

const SUBJECTS = 1_000;
const GOAL = 0.5;
const GOAL_P99_MS = 10;
const REVOKED = 1_000_000;

/** Operations of a service that validates another user's token. */
export const OPERATIONS = {
  'GET /v2.0/tokens/{id}': (asking, subject) => ({
    method: 'GET',
    path: `/v2.0/tokens/${subject}`,
    headers: { 'X-Auth-Token': asking },
  }),
  'GET /v3/auth/tokens': (asking, subject) => ({
    method: 'GET',
    path: '/v3/auth/tokens',
    headers: { 'X-Auth-Token': asking, 'X-Subject-Token': subject },
  }),
};

export async function measureValidation(platform, length) {
  const service = await platform.startService(HIGH_LIMITS);
  try {
    const tokens = await logInAll(platform, service);
    const rows = [];
    for (const [title, request] of Object.entries(OPERATIONS)) {
      rows.push(await compareWithBare({ title, request, tokens, service }, length));
    }
    return [
      {
        titles: [
          'Validate',
          'a second, median (min-max)',
          'bare node:http',
          'ratio (min-max)',
          'ratio of the CPU of an answer',
          'goal',
          'p99 at half the load',
          'of bare node:http at that load',
          'goal',
        ],
        rows,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Measures the same operation before and after a million tokens were revoked, alternating. */
export async function measureRevoked(platform, { seconds, rounds }) {
  const title = 'GET /v2.0/tokens/{id}';
  const service = await platform.startService(HIGH_LIMITS);
  const { asking, subjects } = await logInAll(platform, service);
  const requests = await Requests.prepare(
    subjects.map((subject) => OPERATIONS[title](asking, subject)),
  );
  const bare = await startBare(service.url, OPERATIONS[title](asking, subjects[0]));
  const measure = async () => {
    const ratios = [];
    const rates = [];
    for (let round = 0; round <= rounds; round += 1) {
      const measured = await requests.flood(service, seconds);
      const least = await requests.flood(bare, seconds);
      if (round === 0) continue;
      rates.push(measured.perCpuSecond);
      ratios.push(measured.perCpuSecond / least.perCpuSecond);
    }
    return { rates: summarize(rates), ratios: summarize(ratios) };
  };
  try {
    const before = await measure();
    await revokeManyTokens(platform, REVOKED);
    await waitUntilRedisIsFilled(platform, { url: service.url, token: asking }, REVOKED);
    const after = await measure();
    return [
      {
        titles: ['Validate', 'for each second of CPU', 'ratio to bare node:http'],
        rows: [
          ['no token revoked', range(before.rates, whole), range(before.ratios, percent)],
          [`${whole(REVOKED)} revoked`, range(after.rates, whole), range(after.ratios, percent)],
          [
            'unchanged within 10%',
            percent(after.rates.median / before.rates.median),
            percent(after.ratios.median / before.ratios.median),
          ],
        ],
      },
    ];
  } finally {
    await requests.remove();
    await bare.stop();
    await service.stop();
  }
}

async function compareWithBare({ title, request, tokens, service }, { seconds, rounds }) {
  const { asking, subjects } = tokens;
  const requests = await Requests.prepare(subjects.map((subject) => request(asking, subject)));
  const bare = await startBare(service.url, request(asking, subjects[0]));
  const results = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const measured = await requests.flood(service, seconds);
      const least = await requests.flood(bare, seconds);
      const half = await requests.steady(service, seconds, measured.rate / 2);
      const bareHalf = await requests.steady(bare, seconds, measured.rate / 2);
      if (round > 0) results.push({ measured, least, half, bareHalf });
    }
  } finally {
    await requests.remove();
    await bare.stop();
  }
  const over = (value) => summarize(results.map(value));
  return [
    `\`${title}\`, ${whole(bare.bytes)} bytes`,
    range(
      over(({ measured }) => measured.rate),
      whole,
    ),
    range(
      over(({ least }) => least.rate),
      whole,
    ),
    range(
      over(({ measured, least }) => measured.rate / least.rate),
      percent,
    ),
    range(
      over(({ measured, least }) => measured.perCpuSecond / least.perCpuSecond),
      percent,
    ),
    `>= ${percent(GOAL)}`,
    range(
      over(({ half }) => half.p99),
      milliseconds,
    ),
    range(
      over(({ bareHalf }) => bareHalf.p99),
      milliseconds,
    ),
    `< ${GOAL_P99_MS} ms`,
  ];
}

/** Returns a token of a service that may validate tokens, and scoped tokens of a user. */
export async function logInAll({ user, tenantId, serviceCredentials }, { url }) {
  const asking = await logIn(url, { apiAccessKeyCredentials: serviceCredentials });
  const passwordCredentials = { username: user.name, password: user.password };
  const subjects = [];
  while (subjects.length < SUBJECTS)
    subjects.push(await logIn(url, { passwordCredentials, tenantId }));
  return { asking, subjects };
}
