export type { LiveBody, Reply, WrittenBody } from './answer/reply.js';
export { HTML_SECURITY_HEADERS } from './answer/security-headers.js';
export { BodyBudget } from './body/body-budget.js';
export { Members } from './body/members.js';
export { decodeUtf8, parseJson } from './body/parse-json.js';
export { parseXml } from './body/parse-xml.js';
export { readBody } from './body/read-body.js';
export { findUnfolder, requireNotFolded } from './body/unfold-body.js';
export { RequestMetrics } from './metrics/request-metrics.js';
export { createAuditLog } from './serving/audit-log.js';
export type { Exchange } from './operation/exchange.js';
export { OperationFinder } from './serving/find-operation.js';
export type { Content, Operation, Schema } from './operation/operation.js';
export { type Api, serveOperations } from './serving/serve-operations.js';
export {
  type ApiDescription,
  buildOpenApiDocument,
  type HeaderParameter,
  ref,
} from './openapi/build-document.js';
export { type BodyDescription, describeBody, describeXml } from './openapi/describe-body.js';
export { inferJsonSchema } from './openapi/infer-schema.js';
export * from './representation/member.js';
export { form, type Form, text } from './representation/form.js';
export { represent, type Representation, type Resource } from './representation/resource.js';
export { baseUrlOf } from './request/base-url.js';
export {
  findAcceptable,
  type Format,
  formatOf,
  MEDIA_TYPES,
  readContentType,
  requireAcceptable,
  requireUtf8Charset,
} from './request/media-types.js';
export {
  describeRefusal,
  Refusal,
  type RefusalCode,
  REFUSALS,
  type RefusalStatus,
  type RefusalTexts,
} from './request/refusal.js';
export { sourceAddress } from './request/source-address.js';
export { ApiServer } from './server/api-server.js';
export { type ApiSettings, apiSettings } from './server/api-settings.js';
export { answerBrokenRequest } from './server/broken-request.js';
export { listeningUrl } from './server/listening-url.js';
export { ANSWER_WITHIN_MS, RequestGate, type Turn } from './server/request-gate.js';
