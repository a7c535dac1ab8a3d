import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { LRUCache } from 'lru-cache';
import { GatheredBytes } from '@parley/kit/runtime/gathered-bytes';
import { startTimeout } from '@parley/kit/runtime/clock';

export type Http2Request = { path: string; headers: Record<string, string>; body: string };
export type Http2Answer = { status: number; retryAfter: string | undefined; body: Buffer };

/** One connection for each application and host, which is kept. */
export type Connections = {
  /** Rejects when there is no answer within 10 s, or the connection ends before. */
  send(key: { appId: string; origin: string }, request: Http2Request): Promise<Http2Answer>;
  close(): void;
};

const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 1_000;
const MAX_BODY_BYTES = 4096;
/** A time longer than an application is silent by day. */
const IDLE_MS = 3_600_000;

/** `ca`: an additional certificate authority. */
export function createConnections({ ca }: { ca?: string | undefined } = {}): Connections {
  const sessions = new LRUCache<string, ClientHttp2Session>({
    max: MAX_CONNECTIONS,
    dispose: (session) => session.close(),
  });

  function sessionOf({ appId, origin }: { appId: string; origin: string }): ClientHttp2Session {
    const key = `${appId} ${origin}`;
    const known = sessions.get(key);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(origin, { ...(ca !== undefined && { ca }) });
    // Requests under way get their own errors; the next one connects anew.
    const forget = (): void => {
      if (sessions.peek(key) === session) sessions.delete(key);
    };
    session.on('error', forget);
    session.on('goaway', forget);
    session.on('close', forget);
    session.setTimeout(IDLE_MS, () => session.close());
    session.unref();
    sessions.set(key, session);
    return session;
  }

  return {
    send: (key, request) => sendBy(sessionOf(key), request),
    close() {
      for (const session of sessions.values()) session.destroy();
    },
  };
}

function sendBy(session: ClientHttp2Session, { path, headers, body }: Http2Request): Promise<Http2Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
    const cancel = startTimeout(TIMEOUT_MS, () => {
      reject(new Error('no answer within 10 s'));
      stream.close(constants.NGHTTP2_CANCEL);
      // A connection on which nothing is answered is not used again.
      session.close();
    });
    const gathered = new GatheredBytes();
    let status = 0;
    let retryAfter: string | undefined;
    stream.on('response', (answer) => {
      status = Number(answer[':status']);
      retryAfter = answer['retry-after'];
    });
    stream.on('data', (chunk: Buffer) => {
      if (gathered.size + chunk.length <= MAX_BODY_BYTES && !gathered.isShredded) gathered.add(chunk);
    });
    stream.on('error', (error) => reject(error));
    stream.on('close', () => {
      cancel();
      if (status === 0) reject(new Error('the connection ended before the answer'));
      else resolve({ status, retryAfter, body: gathered.takeBuffer() });
    });
    stream.end(body);
  });
}
