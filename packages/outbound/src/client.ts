import { Agent, type Dispatcher } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { createConnect } from './connect.ts';
import type { Resolve } from './resolve.ts';
import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';

export type TargetRequest = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** How much of the answer's body is read. */
  maxBytes: number;
};

export type TargetAnswer = {
  status: number;
  /** The Retry-After header. */
  retryAfter: string | undefined;
  /** Body of at most `maxBytes`. */
  body: Buffer;
  /** Whether `body` is the whole body. */
  isWhole: boolean;
};

/** Sends all requests to targets. */
export type TargetClient = {
  /** Rejects when there is no answer within 10 s. Redirects are not followed. */
  send(request: TargetRequest): Promise<TargetAnswer>;
  close(): Promise<void>;
};

const TIMEOUT_MS = 10_000;

export function createTargetClient(
  rules: AddressRules,
  options: { resolve: Resolve; ca?: string | undefined; timeoutMs?: number },
): TargetClient {
  const { resolve, ca, timeoutMs = TIMEOUT_MS } = options;
  const agent = new Agent({
    connect: createConnect(rules, resolve, ca === undefined ? {} : { ca }),
    // Targets of several applications may share an origin. In HTTP/1.1 each request has a connection to itself; in HTTP/2
    // they would share one, and a stall, its end or its first handshake would affect all of them.
    allowH2: false,
    // Only the deadline of the request ends it, so that the reason in the delivery's record is always the same.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
  return {
    async send({ method, url, headers, body, maxBytes }) {
      const signal = AbortSignal.timeout(timeoutMs);
      const path = `${url.pathname}${url.search}`;
      const { origin } = url;
      const request = agent.request({ origin, path, method, headers, signal, ...(body && { body }) });
      return readAnswer(await rejectOnAbort(request, signal), maxBytes);
    },
    close: () => agent.destroy(),
  };
}

/** Rejects at once when the signal aborts: the agent itself would notice only after it has connected. */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

async function readAnswer(answer: Dispatcher.ResponseData, maxBytes: number): Promise<TargetAnswer> {
  const gathered = new GatheredBytes();
  let isWhole = false;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      gathered.add(chunk);
      if (gathered.size > maxBytes || gathered.isShredded) break;
    }
    isWhole = gathered.size <= maxBytes && !gathered.isShredded;
  } catch {
    // The status arrived in time, and only it counts.
  }
  const after = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: typeof after === 'string' ? after : undefined,
    body: gathered.takeBuffer().subarray(0, maxBytes),
    isWhole,
  };
}
