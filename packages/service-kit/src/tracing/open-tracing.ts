import type { Tracing } from './tracing.js';
import type { TracingSettings } from './tracing-settings.js';

/**
 * Starts tracing for this process. Returns undefined if no collector is configured. OpenTelemetry is then not loaded,
 * and requests are not checked.
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

/**
 * Returns the URL for traces: the base URL with the path for traces, or a URL for traces as it is (OTLP exporter
 * specification).
 */
function tracesUrl({ endpoint, tracesEndpoint }: TracingSettings): string | undefined {
  if (tracesEndpoint !== undefined) return tracesEndpoint;
  if (endpoint === undefined) return undefined;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}
