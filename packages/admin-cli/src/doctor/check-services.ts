import type { Clock } from '@zonewright/service-kit';
import { explainSqlstate } from './check-writes.js';
import type { Check } from './finding.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'services';
const TIMEOUT_MS = 3_000;

/** Checks the operations ports in DOCTOR_READY_URLS. */
export const checkServices: Check = async ({ settings, clock }) => {
  const urls = settings.doctor.readyUrls;
  if (urls.length === 0) return [ok(AREA, 'DOCTOR_READY_URLS is not set: /readyz is not checked.')];
  const findings = urls.map(async (url) => [
    await askReadiness(url),
    ...(await askRefusals(url, clock)),
  ]);
  return (await Promise.all(findings)).flat();
};

async function askReadiness(url: string): Promise<Finding> {
  const target = `${url.replace(/\/+$/, '')}/readyz`;
  try {
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = (await response.text()).slice(0, 300);
    if (response.ok) return ok(AREA, `${target} is ready.`);
    return error(
      AREA,
      `${target} is not ready: ${text}`,
      'Correct these problems; the service then becomes ready automatically.',
    );
  } catch (failure) {
    return error(
      AREA,
      `${target} does not respond (${reasonOf(failure)}).`,
      'Start this service, or remove its URL from DOCTOR_READY_URLS.',
    );
  }
}

/** Matches the metric for statements that PostgreSQL refused, which every service has. */
const REFUSED =
  /^zonewright_database_refused_timestamp_seconds\{sqlstate="(\w{5})"\} ([\d.e+]+)$/gm;
/** A fault that is this recent may still exist and affect users. An older one only gets a warning. */
const NEW_SECONDS = 60;
const OLD_SECONDS = 600;

/**
 * Lists the statements that PostgreSQL has recently refused to the service. Empty if the service does not answer, which
 * the readiness check reports.
 */
async function askRefusals(url: string, clock: Clock): Promise<Finding[]> {
  const base = url.replace(/\/+$/, '');
  const text = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then((response) => response.text())
    .catch(() => '');
  return [...text.matchAll(REFUSED)].flatMap(([, code, at]) => {
    const seconds = Math.round(clock.now() / 1_000 - Number(at));
    if (seconds > OLD_SECONDS) return [];
    const { fault, remedy } = explainSqlstate(code);
    const told = seconds > NEW_SECONDS ? warning : error;
    const what = `PostgreSQL refused a statement of ${base} ${seconds} s ago: ${fault} (SQLSTATE ${code ?? ''}).`;
    return [told(AREA, what, remedy)];
  });
}

/** Returns the reason of a failed fetch, which is in the error's cause. */
export function reasonOf(failure: unknown): string {
  const { cause, message } = failure as {
    cause?: { code?: string; message?: string };
    message: string;
  };
  return cause?.code ?? cause?.message ?? message;
}
