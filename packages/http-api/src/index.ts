export {
  HTML_SECURITY_HEADERS,
  type LiveBody,
  type Reply,
  type WrittenBody,
} from './operations/send-reply.js';
export { BodyBudget, findUnfolder, readBody, requireNotFolded } from './bodies/read-body.js';
export { Members } from './bodies/members.js';
export { decodeUtf8, parseJson } from './bodies/parse-json.js';
export { parseXml } from './bodies/parse-xml.js';
export { RequestMetrics } from './operations/request-metrics.js';
export { createAuditLog } from './operations/report-request.js';
export type { Content, Exchange, Operation, Schema } from './operations/operation.js';
export { type Api, serveOperations } from './operations/serve-operations.js';
export {
  type ApiDescription,
  buildOpenApiDocument,
  type HeaderParameter,
  ref,
} from './operations/openapi-document.js';
export {
  type BodyDescription,
  describeBody,
  describeXml,
  inferJsonSchema,
} from './operations/openapi-body.js';
export * from './bodies/representation.js';
export { form, type Form, text } from './operations/form.js';
export { represent, type Representation, type Resource } from './bodies/representation.js';
export { baseUrlOf, type ProxyTrust, sourceAddress } from './messages/source-address.js';
export {
  findAcceptable,
  type Format,
  formatOf,
  MEDIA_TYPES,
  readContentType,
  requireAcceptable,
  requireUtf8Charset,
} from './messages/media-types.js';
export {
  describeRefusal,
  Refusal,
  type RefusalCode,
  REFUSALS,
  type RefusalStatus,
  type RefusalTexts,
} from './messages/refusal.js';
export { answerBrokenRequest, ApiServer, listeningUrl } from './server/api-server.js';
export { type ApiSettings, apiSettings } from './server/api-settings.js';
export { ANSWER_WITHIN_MS, RequestGate, type RequestSlot } from './server/request-gate.js';
