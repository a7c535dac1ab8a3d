import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from '@parley/stack/until';
import { createSubscription, readVapid, type VapidClaims } from './web-push-decryption.ts';

/** A push as the browser would show it. */
export type ReceivedPush = {
  endpoint: string;
  payload: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  claims: VapidClaims;
  /** The application's key. */
  key: string;
};

/** A registration for pushes, as a browser hands it to the application. */
export type BrowserSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

/** A push service for browsers that can be made to misbehave. */
export type WebPushService = {
  origin: string;
  received: ReceivedPush[];
  /** Requests that broke a rule of RFC 8030, 8291 or 8292, with the rule. */
  faults: string[];
  /** `applicationServerKey`: pushes that another key signed are refused with 403. */
  subscribe(applicationServerKey: string): BrowserSubscription;
  /** Answers a push that keeps the rules; default 201. */
  respond: (push: ReceivedPush, response: ServerResponse) => unknown;
  /** Resolves when there are as many pushes. */
  wait(count: number): Promise<ReceivedPush[]>;
  stop(): Promise<void>;
};

type Known = { decrypt(body: Buffer): string; applicationServerKey: string };

const DAY_SECONDS = 86_400;

/** Speaks RFC 8030 over HTTPS: checks headers and tokens, and decrypts what it gets. */
export async function startWebPushService(tls: { key: string; cert: string }): Promise<WebPushService> {
  const known = new Map<string, Known>();
  const server = createServer(tls, (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const endpoint = `${service.origin}${request.url}`;
      const subscription = known.get(endpoint);
      if (!subscription) return response.writeHead(404).end('no such subscription');
      try {
        const { headers } = request;
        const push = open({ endpoint, headers, body: Buffer.concat(chunks) }, subscription, service.origin);
        service.received.push(push);
        service.respond(push, response);
      } catch (error) {
        service.faults.push(String(error));
        response.writeHead(error instanceof WrongKey ? 403 : 400).end(String(error));
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const service: WebPushService = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    received: [],
    faults: [],
    subscribe(applicationServerKey) {
      const { keys, decrypt } = createSubscription();
      const endpoint = `${service.origin}/push/${randomUUID()}`;
      known.set(endpoint, { decrypt, applicationServerKey });
      return { endpoint, keys };
    },
    respond: (_push, response) => response.writeHead(201, { location: `${service.origin}/message/1` }).end(),
    wait: (count) =>
      until(() => (service.received.length >= count ? service.received : undefined), {
        withinMs: 15_000,
        what: `${count} pushes come, after ${service.faults.join('; ') || 'no fault'}`,
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return service;
}

class WrongKey extends Error {}

function open(
  { endpoint, headers, body }: { endpoint: string; headers: IncomingHttpHeaders; body: Buffer },
  { decrypt, applicationServerKey }: Known,
  origin: string,
): ReceivedPush {
  if (!/^\d+$/.test(String(headers['ttl']))) throw new Error('TTL is missing');
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('the encoding is not aes128gcm');
  if (!/^[\w-]{1,32}$/.test(String(headers['topic'] ?? 'none'))) throw new Error('the topic is malformed');
  const urgency = String(headers['urgency'] ?? 'normal');
  if (!['very-low', 'low', 'normal', 'high'].includes(urgency)) throw new Error('the urgency is unknown');
  const { claims, key } = readVapid(headers.authorization ?? '');
  if (key !== applicationServerKey) throw new WrongKey('another application subscribed');
  const seconds = claims.exp - Date.now() / 1000;
  if (claims.aud !== origin || seconds < 0 || seconds > DAY_SECONDS)
    throw new Error('the token is not valid');
  if (!/^(mailto:|https:)/.test(claims.sub)) throw new Error('the contact is missing');
  const payload = JSON.parse(decrypt(body)) as Record<string, unknown>;
  return { endpoint, payload, headers, claims, key };
}
