import type {
  ConversationCreatedNotice,
  ConversationDeletedNotice,
  ConversationUpdatedNotice,
  IdentityCreatedNotice,
  IdentityUpdatedNotice,
  MessageCreatedNotice,
  MessageDeletedNotice,
  MessagePartCreatedNotice,
  MessagePartDeletedNotice,
  MessagePartUpdatedNotice,
  MessageUpdatedNotice,
  ParticipationCreatedNotice,
  ParticipationDeletedNotice,
  ReceiptCreatedNotice,
} from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import { bytesOfBase64 } from './base64.ts';

/** A notice sent by a webhook; `event.type` is its kind. */
export type WebhookNotice =
  | MessageCreatedNotice
  | MessageUpdatedNotice
  | MessageDeletedNotice
  | MessagePartCreatedNotice
  | MessagePartUpdatedNotice
  | MessagePartDeletedNotice
  | ReceiptCreatedNotice
  | ConversationCreatedNotice
  | ConversationUpdatedNotice
  | ConversationDeletedNotice
  | ParticipationCreatedNotice
  | ParticipationDeletedNotice
  | IdentityCreatedNotice
  | IdentityUpdatedNotice;

/** A request received by a webhook's target. */
export type WebhookRequest = {
  /** The body as it arrived. A body that was parsed and serialised again has a different signature. */
  body: string | Uint8Array;
  /** The headers in the format of `fetch` or of Node's http module. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The webhook's secret; several during a rotation. */
  secret: string | readonly string[];
  /** Largest deviation of the request's time, in seconds; by default 300. */
  toleranceSeconds?: number;
};

/** A notice with a valid signature. */
export type VerifiedWebhook = {
  /** Id of the delivery, shared by all attempts: a receiver remembers it, and ignores repeated deliveries. */
  id: string;
  notice: WebhookNotice;
};

const DEFAULT_TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * Checks who sent a webhook's request, and reads it.
 *
 * @param request Body and headers as they arrived, and the webhook's secret.
 * @returns The notice, and the id by which repeats are recognized.
 * @throws ParleyError `invalid_signature` if a header is missing, no signature is genuine, or the time is too far off. Answer 401.
 * @example
 * const { id, notice } = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
 * if (notice.event.type === 'Message.created') queue.add(id, notice.message);
 */
export async function verifyWebhook(request: WebhookRequest): Promise<VerifiedWebhook> {
  const { secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = request;
  const id = headerOf(request, 'webhook-id');
  const timestamp = headerOf(request, 'webhook-timestamp');
  const secondsOff = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(secondsOff <= toleranceSeconds)) throw invalid('The time of the request is too far off.');
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = headerOf(request, 'webhook-signature').split(' ');
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const one of secrets) {
    if (await isSignedWith(one, signed, signatures)) return { id, notice: JSON.parse(body) };
  }
  throw invalid('No signature of the request is genuine.');
}

/**
 * The answer to the challenge with which Parley verifies a webhook's address.
 *
 * @param url The address of the request, also without its origin.
 * @returns The text to answer with status 200, or null if the request is no challenge.
 * @example
 * const challenge = webhookChallenge(request.url);
 * if (challenge !== null) return new Response(challenge);
 */
export function webhookChallenge(url: string): string | null {
  return new URL(url, 'http://receiver').searchParams.get('verification_challenge');
}

async function isSignedWith(
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = secret.startsWith(PREFIX)
    ? bytesOfBase64(secret.slice(PREFIX.length))
    : new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    // WebCrypto compares in constant time.
    if (version === 'v1' && (await crypto.subtle.verify(algorithm, key, decoded(value), signed))) return true;
  }
  return false;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return bytesOfBase64(base64);
  } catch {
    return new Uint8Array();
  }
}

function headerOf({ headers }: WebhookRequest, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (value) return value;
  throw invalid(`The header ${name} is missing.`);
}

function valueOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(value) ? value[0] : value;
}

function invalid(message: string): ParleyError {
  return new ParleyError({ id: 'invalid_signature', message });
}
