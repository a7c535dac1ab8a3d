import { fitPayload, type Payload } from '../../content/payload.ts';

/** What Apple takes as the payload of an alert. */
const MAX_BYTES = 4096;
/** What `aps` adds to the payload besides texts that it has already. */
const FRAME_BYTES = 260;

/** The payload of an alert; `thread`: by which the device groups notifications. */
export function apnsPayload(payload: Payload, thread: string | undefined): string {
  const fitted = JSON.parse(fitPayload(payload, MAX_BYTES - FRAME_BYTES)) as Payload;
  const { title, text, sound, badge, ...rest } = fitted;
  return JSON.stringify({
    aps: {
      alert: { ...(title !== undefined && { title }), ...(text !== undefined && { body: text }) },
      badge,
      ...(sound !== undefined && { sound }),
      ...(thread !== undefined && { 'thread-id': thread, category: 'message' }),
      'mutable-content': 1,
    },
    ...rest,
  });
}
