import type { Tracing } from './tracing.js';
import type { TracingSettings } from './tracing-settings.js';

/**
 * Opens tracing for this process. Returns undefined if no collector is set: then OpenTelemetry is not loaded, and
 * requests are not checked.
 */
export async function openTracing(
  settings: TracingSettings,
  program: string,
): Promise<Tracing | undefined> {
  const url = tracesUrl(settings);
  if (url === undefined || settings.isDisabled) return undefined;
  const { createTracing } = await import('./create-tracing.js');
  return createTracing(settings, { program, url });
}

/** OTLP exporter specification: the base URL gets the path of the signal; a URL for traces is used as it is. */
function tracesUrl({ endpoint, tracesEndpoint }: TracingSettings): string | undefined {
  if (tracesEndpoint !== undefined) return tracesEndpoint;
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
