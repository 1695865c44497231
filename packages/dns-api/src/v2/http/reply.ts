import { jsonReply, type StoredReply } from '../../http/reply.js';

type Headers = Readonly<Record<string, string>>;

/** 202: it is done here, and on its way to the nameservers. */
export function acceptedReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 202 };
}

/** 201 with what was created. */
export function createdReply(body: unknown, headers: Headers = {}): StoredReply {
  return { ...jsonReply(body, headers), status: 201 };
}

/** 204 without a body. */
export function noContentReply(): StoredReply {
  return { status: 204, headers: {}, body: '' };
}

/** 301 to where it stands. */
export function movedReply(location: string): StoredReply {
  return { status: 301, headers: { Location: location }, body: '' };
}
