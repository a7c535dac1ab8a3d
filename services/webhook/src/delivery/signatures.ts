import { createHmac } from 'node:crypto';
import type { Wire } from '@parley/domain/wire';

const KEY_PREFIX = 'whsec_';

export type Signing = {
  /** The delivery's id: the same in all attempts. */
  id: string;
  /** Seconds since the epoch. */
  timestamp: number;
  body: string;
  /** The current one first. */
  secrets: readonly string[];
};

/**
 * Headers of both kinds of signatures. Standard Webhooks lists one signature for each secret in one header. The other
 * kind has a header for the current secret, and a second one while a previous secret still signs.
 * docs/protocol/webhooks.md#headers-of-a-delivery
 */
export function signatureHeaders(wire: Wire, signing: Signing): Record<string, string> {
  const { id, timestamp, body, secrets } = signing;
  const [current = '', previous] = secrets;
  const content = `${id}.${timestamp}.${body}`;
  const headers: Record<string, string> = {
    [wire.webhookHeader('signature')]: hexSignature(current, body),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${standardSignature(secret, content)}`).join(' '),
  };
  if (previous !== undefined) {
    headers[wire.webhookHeader('signature-previous')] = hexSignature(previous, body);
  }
  return headers;
}

function hexSignature(secret: string, body: string): string {
  return createHmac('sha1', secret).update(body).digest('hex');
}

function standardSignature(secret: string, content: string): string {
  const key = secret.startsWith(KEY_PREFIX) ? Buffer.from(secret.slice(KEY_PREFIX.length), 'base64') : secret;
  return createHmac('sha256', key).update(content).digest('base64');
}
