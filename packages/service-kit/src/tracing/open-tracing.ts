import type { Tracing } from './tracing.js';
import type { TracingSettings } from './tracing-settings.js';

/**
 * Traces of what this process does, or undefined when no collector is set: then nothing of OpenTelemetry is loaded, and
 * nothing asks at each request whether it is wanted.
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

/** OTLP exporter specification: the base URL gets the path of the signal, one of its own is taken as it is. */
function tracesUrl({ endpoint, tracesEndpoint }: TracingSettings): string | undefined {
  if (tracesEndpoint !== undefined) return tracesEndpoint;
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
