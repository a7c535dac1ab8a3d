import type { JsMsg } from '@nats-io/jetstream';

export type BusMessage = {
  payload: Uint8Array;
  subject: string;
  /** The publisher's id, or `stream:sequence`. */
  msgId: string;
  /** 1 at the first delivery. */
  deliveries: number;
  requestId?: string;
  headers: Record<string, string>;
};

/** `dead`: not delivered again, since the handler has stored the message elsewhere. */
export type Verdict = 'ack' | 'dead' | { retryInMs: number };

export const DEFAULT_BACKOFF_MS = [100, 500, 2000, 5000, 15_000, 30_000, 60_000];

/** Delay before the next delivery, depending on the number of deliveries so far. */
export function backoff(deliveries: number, delaysMs: number[] = DEFAULT_BACKOFF_MS): number {
  return delaysMs[Math.min(deliveries, delaysMs.length) - 1] ?? 0;
}

export function toBusMessage(message: JsMsg): BusMessage {
  const headers: Record<string, string> = {};
  if (message.headers) for (const name of message.headers.keys()) headers[name] = message.headers.get(name);
  const { stream, streamSequence, deliveryCount } = message.info;
  const requestId = headers['x-request-id'];
  return {
    payload: message.data,
    subject: message.subject,
    msgId: headers['Nats-Msg-Id'] ?? `${stream}:${streamSequence}`,
    deliveries: deliveryCount,
    ...(requestId && { requestId }),
    headers,
  };
}
