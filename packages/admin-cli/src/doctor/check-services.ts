import type { Check } from './finding.js';
import { error, type Finding, ok } from './finding.js';

const AREA = 'services';
const TIMEOUT_MS = 3_000;

/** Checks the operations ports in DOCTOR_READY_URLS. */
export const checkServices: Check = async ({ settings }) => {
  const urls = settings.doctor.readyUrls;
  if (urls.length === 0) return [ok(AREA, 'DOCTOR_READY_URLS is not set: /readyz is not asked.')];
  return await Promise.all(urls.map(askReadiness));
};

async function askReadiness(url: string): Promise<Finding> {
  const target = `${url.replace(/\/+$/, '')}/readyz`;
  try {
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = (await response.text()).slice(0, 300);
    if (response.ok) return ok(AREA, `${target} says that it is ready.`);
    return error(
      AREA,
      `${target} is not ready: ${text}`,
      'Mend what it names; it becomes ready by itself.',
    );
  } catch (failure) {
    return error(
      AREA,
      `${target} does not answer (${reasonOf(failure)}).`,
      'Start that service, or take its URL out of DOCTOR_READY_URLS.',
    );
  }
}

/** fetch puts the reason into the error's cause. */
export function reasonOf(failure: unknown): string {
  const { cause, message } = failure as {
    cause?: { code?: string; message?: string };
    message: string;
  };
  return cause?.code ?? cause?.message ?? message;
}
