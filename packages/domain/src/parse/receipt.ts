import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { parseChoice } from './choice.ts';
import { invalid, missing, optional, parseObject } from './fields.ts';

const TYPES = { read: ReceiptType.READ, delivery: ReceiptType.DELIVERY } as const;

/** `{type}`: read or delivery. docs/protocol/receipts.md#send-a-receipt */
export function parseReceiptType(body: unknown): ReceiptType {
  return parseChoice(TYPES, optional(parseObject(body), 'type') ?? missing('type'), 'type');
}

/**
 * `{position}` of mark all read or delivered; undefined, also for no body: up to the last message.
 * docs/protocol/receipts.md#mark-all-read
 */
export function parsePosition(body: unknown): number | undefined {
  if (body === undefined) return undefined;
  const position = optional(parseObject(body), 'position');
  if (position === undefined) return undefined;
  const fits = typeof position === 'number' && Number.isSafeInteger(position) && position >= 0;
  return fits ? position : invalid('position', 'must be the position of a message.');
}
