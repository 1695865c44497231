import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import { hostname } from 'node:os';
import { ReportingExporter } from './reporting-exporter.js';
import { Tracing } from './tracing.js';
import type { TracingSettings } from './tracing-settings.js';

/** Maximum number of queued spans, about 2 MB. Further spans are dropped while the collector is too slow. */
const MAX_QUEUED_SPANS = 2_048;
const MAX_BATCH_SPANS = 512;
/** Delay until a trace is visible, in milliseconds. */
const SEND_INTERVAL_MS = 1_000;
/** Time limit of a batch with all its attempts, long enough for a restart of the collector. */
const EXPORT_TIMEOUT_MS = 5_000;
/**
 * Maximum number of concurrent exports. It exceeds the batches of a full queue, which are all sent when the process
 * exits.
 */
const MAX_EXPORTS = 8;
/** Maximum length of an attribute. Statements of an import have thousands of placeholders. */
const MAX_ATTRIBUTE_CHARACTERS = 2_048;

/** Sets up OpenTelemetry without global objects, since services share a process in tests. */
export function createTracing(
  settings: TracingSettings,
  { program, url }: { readonly program: string; readonly url: string },
): Tracing {
  const exporter = new ReportingExporter(
    new OTLPTraceExporter({
      url,
      headers: { ...settings.headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
      concurrencyLimit: MAX_EXPORTS,
    }),
  );
  const provider = new TracerProvider({
    resource: describeProcess(settings, program),
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_QUEUED_SPANS,
        maxExportBatchSize: MAX_BATCH_SPANS,
        scheduledDelayMillis: SEND_INTERVAL_MS,
        // An attempt that starts just before the time limit of its batch may take as long again.
        exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  return new Tracing(provider, exporter);
}

function describeProcess(settings: TracingSettings, program: string): Resource {
  return defaultResource().merge(
    resourceFromAttributes({
      [ATTR_SERVICE_NAME]: program,
      'host.name': hostname(),
      'process.pid': process.pid,
      ...settings.resourceAttributes,
      ...(settings.serviceName === undefined ? {} : { [ATTR_SERVICE_NAME]: settings.serviceName }),
    }),
  );
}

function createSampler({ sampler, samplerRatio }: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(samplerRatio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplerRatio) });
  }
}
