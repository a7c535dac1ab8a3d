import { generateRequestDetails } from 'web-push';
import type { PushToken } from '@parley/proto/parley/identity/v1/push_token_pb';
import { fitPayload, type Payload } from '../../content/payload.ts';

export type WebPush = {
  appId: string;
  token: PushToken;
  payload: Payload;
  /** Which later push takes the place of this one while the device is away: a uuid. */
  topic: string;
  /** Seconds for which the push service keeps it. */
  ttl: number;
};

/** Bytes that a record of 4,096 bytes holds besides its header, its tag and its delimiter (RFC 8291). */
const MAX_PAYLOAD_BYTES = 3993;

/** The encrypted request; undefined when the keys of the subscription are not valid. */
export function makeRequest(
  { token, payload, topic, ttl }: WebPush,
  authorization: string,
): { headers: Record<string, string>; body: Buffer } | undefined {
  const keys = keysOf(token);
  if (!keys) return undefined;
  try {
    const { headers, body } = generateRequestDetails(
      { endpoint: token.token, keys },
      fitPayload(payload, MAX_PAYLOAD_BYTES),
      { TTL: ttl, urgency: 'high', topic: topicOf(topic), contentEncoding: 'aes128gcm' },
    );
    if (!body) return undefined;
    const named: Record<string, string | number | undefined> = { ...headers };
    const texts = Object.entries(named).map(([name, value]) => [name, String(value)]);
    const kept = Object.fromEntries(texts) as Record<string, string>;
    return { headers: { ...kept, Authorization: authorization }, body };
  } catch {
    return undefined;
  }
}

/** Keys of a token; a token that the release before registered may lack them. */
function keysOf({ details }: PushToken): { p256dh: string; auth: string } | undefined {
  const { p256dh, auth } = Object(details?.['keys']) as { p256dh?: unknown; auth?: unknown };
  return typeof p256dh === 'string' && typeof auth === 'string' ? { p256dh, auth } : undefined;
}

/** A topic has at most 32 characters of base64url. */
function topicOf(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}
