import {
  type Api,
  BodyBudget,
  createAuditLog,
  findAcceptable,
  type RequestGate,
  type RequestMetrics,
} from '@zonewright/http-api';
import type { Tracing } from '@zonewright/service-kit';
import type { Context } from './context/context.js';
import { representFault, toFault } from './schemas/errors.js';
import { ROUTES } from './routes.js';
import { isAudited, pathsOf, type Route } from './http/route.js';
import {
  type BodyLimits,
  createBodyReader,
  FORMAT_TYPES,
  JSON_TYPES,
  perform,
} from './http/perform.js';

interface ApiParts {
  readonly gate: RequestGate;
  readonly metrics: RequestMetrics;
  readonly tracing: Tracing | undefined;
}

/** Memory for all request bodies that are being received: about 500 of the largest size. */
const BODIES_MAX_BYTES = 134_217_728;
/** Limits of a login, which anybody can send. They are far above what a login needs. */
const LOGIN_LIMITS: BodyLimits = { maxBytes: 16_384, maxMarkup: 512, types: FORMAT_TYPES };
/** Limits of JSON bodies, which describe one object with a name and a description at most. */
const JSON_LIMITS: BodyLimits = { maxBytes: 16_384, maxMarkup: 0, types: JSON_TYPES };
/**
 * Limits of DNS messages: one of 65,535 bytes and its answer of the same size, in base64 and JSON, or 32 short ones.
 */
const MESSAGE_LIMITS: BodyLimits = { ...JSON_LIMITS, maxBytes: 196_608 };
/** Limits of the messages of a zone transfer: 3,000,000 bytes, in base64 and JSON, and the request. */
const TRANSFER_LIMITS: BodyLimits = { ...JSON_LIMITS, maxBytes: 4_194_304 };
/** Maximum markup of an import with as many access keys as a user may have, with all attributes. */
const MAX_MARKUP = 5_000;

/** Creates the identity API with its operations and its parts of request handling. */
export function createApi(context: Context, { gate, metrics, tracing }: ApiParts): Api<Route> {
  const { settings, log } = context;
  const { http, extensionAliases } = settings;
  const bodies = { budget: new BodyBudget(BODIES_MAX_BYTES), trust: http };
  const performers = {
    context,
    gate,
    readBody: createBodyReader(
      { maxBytes: http.maxBodyBytes, maxMarkup: MAX_MARKUP, types: FORMAT_TYPES },
      bodies,
    ),
    readLogin: createBodyReader(LOGIN_LIMITS, bodies),
    readJson: createBodyReader(JSON_LIMITS, bodies),
    readMessages: {
      few: createBodyReader(MESSAGE_LIMITS, bodies),
      transfer: createBodyReader(TRANSFER_LIMITS, bodies),
    },
  };
  const logAudit = createAuditLog({ log, trust: http });
  return {
    operations: ROUTES.flatMap((route) =>
      pathsOf(route, extensionAliases).map((path) => ({ ...route, path })),
    ),
    isTls: http.tls.certificateFile !== undefined,
    types: FORMAT_TYPES,
    log,
    metrics,
    tracing,
    noRoute: 'none',
    isAhead: (route) => route.access === 'token' && route.answerAtOnce !== undefined,
    answerAtOnce: (route, { request: { headers }, target, path, params }) =>
      route.access === 'token' &&
      route.answerAtOnce !== undefined &&
      target === path &&
      findAcceptable(headers.accept, FORMAT_TYPES) !== undefined
        ? route.answerAtOnce(context, { headers, params })
        : undefined,
    perform: (route, exchange) => perform(performers, route, exchange),
    renderError: (error, { path }) => {
      const fault = toFault(error, path);
      return { status: fault.status, headers: fault.headers, body: representFault(fault, path) };
    },
    onAnswered: (route, exchange) => {
      if (isAudited(route)) logAudit(route, exchange);
    },
  };
}
