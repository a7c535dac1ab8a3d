import { fitPayload, type Payload } from '../../content/payload.ts';
import type { Withdrawal } from '../../content/withdrawal.ts';

/** Largest payload of an alert that Apple takes. */
const MAX_BYTES = 4096;
/** Bytes that `aps` adds to the payload besides texts that the payload has already. */
const FRAME_BYTES = 260;

/** The text that the application has in its languages for a push without one; Apple shows no alert that is empty. */
const TEXT_OF_APP = 'NEW_MESSAGE';

/** The payload of an alert; `thread`: by which the device groups notifications. */
export function apnsPayload(payload: Payload, thread: string | undefined): string {
  const fitted = JSON.parse(fitPayload(payload, MAX_BYTES - FRAME_BYTES)) as Payload;
  const { title, text, sound, badge, ...rest } = fitted;
  const hasText = title !== undefined || text !== undefined;
  return JSON.stringify({
    aps: {
      alert: hasText
        ? { ...(title !== undefined && { title }), ...(text !== undefined && { body: text }) }
        : { 'loc-key': TEXT_OF_APP },
      badge,
      ...(sound !== undefined && { sound }),
      ...(thread !== undefined && { 'thread-id': thread, category: 'message' }),
      'mutable-content': 1,
    },
    ...rest,
  });
}

/** The payload of a background push, which wakes the application and shows nothing: Apple takes no badge in its `aps`. */
export function apnsWithdrawal({ ids, badge }: Withdrawal): string {
  return JSON.stringify({ aps: { 'content-available': 1 }, withdraw: ids, badge });
}
