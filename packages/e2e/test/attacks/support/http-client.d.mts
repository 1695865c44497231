import type { Agent } from 'node:http';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly token: string;
  readonly type?: string;
  readonly body?: string;
}

export interface Answer {
  /** 0: the connection ended without one; -1: while a large body was sent, which is how its refusal can look. */
  readonly status: number;
  readonly octets: number;
  readonly milliseconds: number;
  readonly text: string;
}

export function send(url: string, agent: Agent, call: Call, keep?: number): Promise<Answer>;
