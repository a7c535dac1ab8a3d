import { createHmac } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { startReceiver, type Received, type Receiver } from '@parley/testing/doubles/receiver';
import type { TestApp } from './app.ts';
import type { Answer, Call } from './http.ts';
import type { Json } from './json.ts';
import { until, WAIT_MS } from './until.ts';

export const WEBHOOKS_TYPE = 'application/vnd.svc.webhooks+json; version=3.0';

/** 24 bytes in base64 after the prefix that both public verifiers accept. */
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const ALL_EVENTS = [
  ...['Message.created', 'Message.updated', 'Message.deleted'],
  ...['MessagePart.created', 'MessagePart.updated', 'MessagePart.deleted', 'Receipt.created'],
  ...['Conversation.created', 'Conversation.updated', 'Conversation.deleted'],
  ...['Participation.created', 'Participation.deleted', 'Identity.created', 'Identity.updated'],
];

/** A call of the webhooks API: path below `/apps/<app_uuid>/webhooks`. */
export function webhooksCall(
  app: TestApp,
  method: string,
  path: string,
  expected: number,
  options: Call = {},
): Promise<Answer> {
  return app.server(method, `/webhooks${path}`, expected, {
    ...options,
    headers: { accept: WEBHOOKS_TYPE, ...options.headers },
  });
}

export type Subscribed = { webhook: Json; uuid: string; receiver: Receiver };

/** Registers a webhook with a receiver of its own; resolves when it is active. */
export async function subscribe(app: TestApp, events: string[], fields: object = {}): Promise<Subscribed> {
  const receiver = await startReceiver();
  const body = { version: '3.0', target_url: receiver.url, events, secret: SECRET, ...fields };
  const { body: created } = await webhooksCall(app, 'POST', '', 201, { body });
  const uuid = created.id.slice(created.id.lastIndexOf('/') + 1);
  const webhook = await untilStatus(app, uuid, 'active');
  return { webhook, uuid, receiver };
}

export function untilStatus(app: TestApp, uuid: string, status: string): Promise<Json> {
  return until(`the webhook is ${status}`, async () => {
    const { body } = await webhooksCall(app, 'GET', `/${uuid}`, 200);
    return body.status === status ? body : undefined;
  });
}

/** The first matching notification, received before or within the deadline. */
export function waitFor(
  { receiver }: Subscribed,
  what: string,
  fits: (body: Json) => boolean,
  deadlineMs = WAIT_MS,
): Promise<Json> {
  return until(what, () => receiver.received.map(({ text }) => JSON.parse(text)).find(fits), deadlineMs);
}

export function ofType(type: string, fits: (body: Json) => boolean = () => true) {
  return (body: Json): boolean => body.event.type === type && fits(body);
}

/** Fails unless both public verifiers and ten lines of code accept it. */
export function verifySignatures({ headers, text }: Received, key = SECRET): void {
  new StandardWebhook(key).verify(text, headers as Record<string, string>);
  new SvixWebhook(key).verify(text, headers as Record<string, string>);
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', bytes).update(`${id}.${timestamp}.${text}`).digest('base64');
  if (!String(signatures).split(' ').includes(`v1,${signature}`)) throw new Error('wrong signature');
  const hex = createHmac('sha1', key).update(text).digest('hex');
  if (![headers['svc-webhook-signature'], headers['svc-webhook-signature-previous']].includes(hex)) {
    throw new Error('wrong hex signature');
  }
}
