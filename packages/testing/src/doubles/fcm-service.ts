import { generateKeyPairSync, randomUUID, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from '@parley/stack/until';

/** A message as FCM's HTTP v1 interface takes it. */
export type FcmMessage = {
  token: string;
  notification?: { title?: string; body?: string };
  data?: Record<string, string>;
  android?: {
    priority?: string;
    ttl?: string;
    collapse_key?: string;
    notification?: { tag?: string; sound?: string; notification_count?: number };
  };
};

export type ReceivedFcm = { project: string; message: FcmMessage; headers: IncomingHttpHeaders };

/** Google's token service and FCM, which can be made to misbehave. */
export type FcmService = {
  origin: string;
  tokenUrl: string;
  /** The file of a service account that is known here; `changes` overwrite its keys. */
  serviceAccount(changes?: Record<string, unknown>): string;
  received: ReceivedFcm[];
  /** How many access tokens were given out. */
  granted(): number;
  /** Whether grants are answered. */
  grants: 'at once' | 'silence';
  /** Makes all access tokens invalid. */
  revoke(): void;
  /** Requests that broke a rule of the interface. */
  faults: string[];
  /** Answers a message that keeps the rules; default 200. */
  respond: (received: ReceivedFcm, response: ServerResponse) => unknown;
  wait(count: number): Promise<ReceivedFcm[]>;
  stop(): Promise<void>;
};

/** The error of an answer, as FCM writes it. */
export function fcmError(status: number, errorCode: string): string {
  return JSON.stringify({
    error: {
      code: status,
      message: `it is ${errorCode}`,
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
    },
  });
}

const PROJECT = 'chat-project';
const EMAIL = 'push@chat-project.iam.gserviceaccount.com';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const MAX_BYTES = 4096;

export async function startFcmService(tls: { key: string; cert: string }): Promise<FcmService> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let valid = new Set<string>();
  let granted = 0;
  const server = createServer(tls, (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      try {
        if (request.url === '/token') {
          if (service.grants === 'silence') return;
          checkGrant(body, { key: pair.publicKey, audience: service.tokenUrl });
          const token = randomUUID();
          valid.add(token);
          granted += 1;
          response.end(JSON.stringify({ access_token: token, expires_in: 3599, token_type: 'Bearer' }));
          return;
        }
        const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
        if (!valid.has(token)) return response.writeHead(401).end(fcmError(401, 'UNAUTHENTICATED'));
        const received = readMessage({ url: request.url ?? '', headers: request.headers, body });
        service.received.push(received);
        service.respond(received, response);
      } catch (error) {
        service.faults.push(String(error));
        response
          .writeHead(400)
          .end(JSON.stringify({ error: 'invalid_grant', error_description: String(error) }));
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const service: FcmService = {
    origin,
    tokenUrl: `${origin}/token`,
    serviceAccount: (changes = {}) => JSON.stringify({ ...accountOf(pair.privateKey), ...changes }),
    received: [],
    granted: () => granted,
    grants: 'at once',
    revoke: () => void (valid = new Set()),
    faults: [],
    respond: (_received, response) =>
      response.end(JSON.stringify({ name: `projects/${PROJECT}/messages/${randomUUID()}` })),
    wait: (count) =>
      until(() => (service.received.length >= count ? service.received : undefined), {
        withinMs: 15_000,
        what: `${count} messages come, after ${service.faults.join('; ') || 'no fault'}`,
      }),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return service;
}

function accountOf(privateKey: KeyObject): Record<string, unknown> {
  return {
    type: 'service_account',
    project_id: PROJECT,
    client_email: EMAIL,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'https://evil.example/token',
  };
}

/** Throws unless it is a grant of RFC 7523 by the known service account. */
function checkGrant(body: string, { key, audience }: { key: KeyObject; audience: string }): void {
  const form = new URLSearchParams(body);
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    throw new Error('wrong grant');
  const [header = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url')))
    throw new Error('Invalid JWT Signature.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const now = Date.now() / 1000;
  const lasts = Number(claims['exp']) - Number(claims['iat']);
  if (claims['iss'] !== EMAIL || claims['scope'] !== SCOPE) throw new Error('unknown account or scope');
  if (claims['aud'] !== audience) throw new Error('the assertion is for another audience');
  if (!(lasts > 0 && lasts <= 3600 && Number(claims['exp']) > now))
    throw new Error('the assertion has expired');
}

function readMessage({
  url,
  headers,
  body,
}: {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}): ReceivedFcm {
  const [, project = ''] = /^\/v1\/projects\/([^/]+)\/messages:send$/.exec(url) ?? [];
  const { message } = JSON.parse(body) as { message: FcmMessage };
  const texts = Object.values(message.data ?? {});
  if (project !== PROJECT) throw new Error('the project is not known');
  if (!headers['content-type']?.startsWith('application/json')) throw new Error('the body is not JSON');
  if (texts.some((text) => typeof text !== 'string')) throw new Error('data has a value that is not a text');
  const shown = { notification: message.notification, data: message.data };
  if (Buffer.byteLength(JSON.stringify(shown)) > MAX_BYTES) throw new Error('the message is too big');
  if (!/^\d+s$/.test(message.android?.ttl ?? '1s')) throw new Error('the ttl is malformed');
  return { project, message, headers };
}
