import { request } from 'node:http';

const LARGE_BODY = 262_144;

/** Sends one request. Only the part of the response that a test needs is kept. */
export async function send(url, agent, call, keep = 1_000_000) {
  const { method = 'GET', path, token, type = 'application/json', body } = call;
  const startedAt = performance.now();
  return await new Promise((resolve) => {
    let text = '';
    let octets = 0;
    const end = (status) => {
      resolve({ status, octets, text, milliseconds: performance.now() - startedAt });
    };
    const length = Buffer.byteLength(body ?? '');
    const bodyHeaders = body && { 'content-type': type, 'content-length': length };
    const headers = { 'x-auth-token': token, ...bodyHeaders };
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.on('data', (chunk) => {
        octets += chunk.length;
        if (text.length < keep) text += chunk.toString();
      });
      response.on('end', () => {
        end(response.statusCode);
      });
      response.on('error', () => {
        end(0);
      });
    });
    sent.on('error', () => {
      end(length > LARGE_BODY ? -1 : 0);
    });
    sent.end(body);
  });
}
