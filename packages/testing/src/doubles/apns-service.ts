import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { until } from '@parley/stack/until';

/** A push as Apple takes it. */
export type ReceivedApns = {
  token: string;
  headers: IncomingHttpHeaders;
  payload: Record<string, unknown> & { aps: Record<string, unknown> };
  /** Which connection it came by: 1, 2, … */
  connection: number;
};

/** How Apple answers: 200 without a reason, otherwise an error. */
export type ApnsAnswer = {
  status: number;
  reason?: string;
  /** Time since which the token is gone, in milliseconds. */
  timestamp?: number;
  retryAfter?: string;
};

/** Apple's push service, which can be made to misbehave. */
export type ApnsService = {
  origin: string;
  /** A key of the team that is known here. */
  credentials: { privateKey: string; keyId: string; teamId: string; topic: string };
  received: ReceivedApns[];
  faults: string[];
  /** Answers a push that keeps the rules; undefined: never. Default 200. */
  respond: (received: ReceivedApns) => ApnsAnswer | undefined;
  /** Sends GOAWAY on all connections. */
  goAway(): void;
  /** Ends all connections without a word. */
  cut(): void;
  wait(count: number): Promise<ReceivedApns[]>;
  stop(): Promise<void>;
};

const TEAM = 'TEAM567890';
const KEY = 'KEY4567890';
const TOPIC = 'com.example.chat';
const HOUR_SECONDS = 3600;
const MAX_BYTES = 4096;

/** Speaks Apple's interface over HTTP/2, and verifies the provider token (ES256). `other`: an environment with the same key. */
export async function startApnsService(
  tls: { key: string; cert: string },
  other?: Pick<ApnsService, 'credentials'>,
): Promise<ApnsService> {
  const privateKey = other?.credentials.privateKey ?? newKey();
  const sessions = new Map<Http2Session, number>();
  let connections = 0;
  const server = createSecureServer(tls);
  server.on('sessionError', (_error, session) => session.destroy());
  server.on('session', (session) => {
    sessions.set(session, (connections += 1));
    session.on('close', () => sessions.delete(session));
  });

  async function serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const body = await readBody(stream);
    const [, token] = /^\/3\/device\/([0-9a-f]+)$/i.exec(String(headers[':path'])) ?? [];
    const refusal =
      token === undefined
        ? { status: 404, reason: 'BadPath' }
        : refusalOf(headers, body, createPublicKey(privateKey));
    if (refusal) {
      service.faults.push(refusal.reason ?? '');
      return answer(stream, refusal);
    }
    if (/^0+$/.test(token!)) return answer(stream, { status: 400, reason: 'BadDeviceToken' });
    const payload = JSON.parse(body.toString()) as ReceivedApns['payload'];
    const connection = sessions.get(stream.session!) ?? 0;
    const received = { token: token!, headers, payload, connection };
    service.received.push(received);
    const given = service.respond(received);
    if (given) answer(stream, given);
  }

  server.on('stream', (stream, headers) => {
    stream.on('error', () => stream.destroy());
    serve(stream, headers).catch((error: unknown) => service.faults.push(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const service: ApnsService = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    credentials: { privateKey, keyId: KEY, teamId: TEAM, topic: TOPIC },
    received: [],
    faults: [],
    respond: () => ({ status: 200 }),
    goAway: () => [...sessions.keys()].forEach((session) => session.goaway()),
    cut: () => [...sessions.keys()].forEach((session) => session.destroy()),
    wait: (count) =>
      until(() => (service.received.length >= count ? service.received : undefined), {
        withinMs: 15_000,
        what: `${count} pushes come, after ${service.faults.join('; ') || 'no fault'}`,
      }),
    async stop() {
      for (const session of sessions.keys()) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

/** The reason for which Apple refuses a request; undefined: none. */
function refusalOf(headers: IncomingHttpHeaders, body: Buffer, publicKey: KeyObject): ApnsAnswer | undefined {
  const claims = readToken(headers.authorization ?? '', publicKey);
  if (!claims) return { status: 403, reason: 'InvalidProviderToken' };
  if (Date.now() / 1000 - claims.iat > HOUR_SECONDS) return { status: 403, reason: 'ExpiredProviderToken' };
  if (!headers['apns-topic']) return { status: 400, reason: 'MissingTopic' };
  if (!String(headers['apns-topic']).startsWith(TOPIC)) return { status: 400, reason: 'TopicDisallowed' };
  if (!isOfType(headers, body)) return { status: 400, reason: 'InvalidPushType' };
  if (Buffer.byteLength(String(headers['apns-collapse-id'])) > 64)
    return { status: 400, reason: 'BadCollapseId' };
  if (!/^\d+$/.test(String(headers['apns-expiration']))) return { status: 400, reason: 'BadExpirationDate' };
  return body.length > MAX_BYTES ? { status: 413, reason: 'PayloadTooLarge' } : undefined;
}

/** A push in the background has the priority 5, and neither alert, sound nor badge. */
function isOfType(headers: IncomingHttpHeaders, body: Buffer): boolean {
  if (headers['apns-push-type'] === 'alert') return true;
  const { aps } = JSON.parse(body.toString()) as ReceivedApns['payload'];
  return (
    headers['apns-push-type'] === 'background' &&
    headers['apns-priority'] === '5' &&
    JSON.stringify(aps) === '{"content-available":1}'
  );
}

function readToken(authorization: string, publicKey: KeyObject): { iat: number } | undefined {
  const [, token = ''] = /^bearer (.+)$/.exec(authorization) ?? [];
  const [header = '', payload = '', signature = ''] = token.split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' as const };
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
  const { iss, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  return alg === 'ES256' && kid === KEY && iss === TEAM ? { iat: Number(iat) } : undefined;
}

async function readBody(stream: ServerHttp2Stream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function answer(stream: ServerHttp2Stream, { status, reason, timestamp, retryAfter }: ApnsAnswer): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': status, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
  if (reason === undefined) stream.end();
  else stream.end(JSON.stringify({ reason, ...(timestamp !== undefined && { timestamp }) }));
}
