import { Agent, type Dispatcher } from 'undici';
import type { AddressRules } from './address-rules.ts';
import { createConnect } from './connect.ts';
import type { Resolve } from './resolve.ts';

export type TargetRequest = {
  method: 'GET' | 'POST';
  url: URL;
  headers: Record<string, string>;
  body?: string;
  /** Of the answer's body, as much is read. */
  maxBytes: number;
};

export type TargetAnswer = {
  status: number;
  /** The Retry-After header. */
  retryAfter: string | undefined;
  /** No more than `mostBytes`. */
  body: Buffer;
  /** Whether that is all of it. */
  isWhole: boolean;
};

/** The only way out to targets. */
export type TargetClient = {
  /** Rejects when there is no answer within 10 s. Redirects are answers. */
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
    // Targets of several applications may share an origin. In HTTP/1.1 each request has a connection to itself, as many
    // as there are; in HTTP/2 they would share one, with its stalls and its end, and wait for its first handshake.
    allowH2: false,
    // The deadline of the request alone decides, so that an owner reads the same reason each time.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
  return {
    async send({ method, url, headers, body, maxBytes }) {
      const signal = AbortSignal.timeout(timeoutMs);
      const path = `${url.pathname}${url.search}`;
      const { origin } = url;
      const asking = agent.request({ origin, path, method, headers, signal, ...(body && { body }) });
      const answer = await rejectOnAbort(asking, signal);
      return readAnswer(answer, maxBytes);
    },
    close: () => agent.destroy(),
  };
}

// The agent hears of an abort only once it is connected.
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

async function readAnswer(answer: Dispatcher.ResponseData, mostBytes: number): Promise<TargetAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) break;
    }
    isWhole = size <= mostBytes;
  } catch {
    // The status has come in time, and it is what counts.
  }
  const after = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    retryAfter: typeof after === 'string' ? after : undefined,
    body: Buffer.concat(chunks).subarray(0, mostBytes),
    isWhole,
  };
}
