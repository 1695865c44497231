import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { SettingsOf, SettingsTree } from '../settings/read-settings.js';
import { flag, fraction, oneOf, optionalText, optionalUrl, pairs } from '../settings/setting.js';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type SamplerName = (typeof SAMPLERS)[number];

const headers = pairs('OTEL_EXPORTER_OTLP_HEADERS', {
  default: {},
  secret: true,
  help: 'Headers for the collector: name=value,..., percent-encoded.',
});

/** Tracing settings. Their names come from the OpenTelemetry specification and are the same in all services. */
export const TRACING_SETTINGS = {
  endpoint: optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'], {
    help: 'Base URL of an OpenTelemetry collector (OTLP over HTTP). No traces are sent if not set.',
  }),
  tracesEndpoint: optionalUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http', 'https'], {
    help: 'Complete URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces.',
  }),
  headers: {
    ...headers,
    parse: (text) => {
      const parsed = headers.parse(text);
      for (const [name, value] of Object.entries(parsed)) {
        validateHeaderName(name);
        validateHeaderValue(name, value);
      }
      return parsed;
    },
  } satisfies typeof headers,
  isDisabled: flag('OTEL_SDK_DISABLED', {
    default: false,
    help: 'Disables traces, regardless of other settings.',
  }),
  serviceName: optionalText('OTEL_SERVICE_NAME', {
    help: 'Name of the service in traces.',
  }),
  resourceAttributes: pairs('OTEL_RESOURCE_ATTRIBUTES', {
    default: {},
    help: 'Attributes of each span: name=value,..., percent-encoded.',
  }),
  sampler: oneOf<SamplerName>('OTEL_TRACES_SAMPLER', SAMPLERS, {
    default: 'parentbased_always_on',
    help: `Sampler of requests: ${SAMPLERS.join(', ')}. parentbased follows the traceparent of the caller, if there is one.`,
  }),
  samplerRatio: fraction('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    help: 'Ratio of requests that a traceidratio sampler traces, from 0 to 1.',
  }),
} satisfies SettingsTree;

export type TracingSettings = SettingsOf<typeof TRACING_SETTINGS>;
