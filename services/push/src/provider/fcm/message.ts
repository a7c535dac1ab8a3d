import { cutText, type Payload } from '../../content/payload.ts';
import type { Withdrawal } from '../../content/withdrawal.ts';

export type FcmPush = {
  token: string;
  payload: Payload;
  /** The notification that a later one of the same identity replaces. */
  tag: string;
  /** Seconds. */
  ttl: number;
};

/** Largest size of the texts and data of a message that FCM takes. */
const MAX_BYTES = 4096;
/** Room for what stands around texts and data. */
const FRAME_BYTES = 700;

/** The request body of FCM's HTTP v1 interface. Values of `data` are texts there. */
export function fcmMessage({ token, payload, tag, ttl }: FcmPush): string {
  const fitted = fit(payload);
  const { title, text, sound, badge } = fitted;
  const android = { priority: 'HIGH', ttl: `${ttl}s` };
  // Without texts the application shows it: FCM shows notifications itself.
  if (title === undefined && text === undefined)
    return JSON.stringify({ message: { token, data: dataOf(fitted), android } });
  return JSON.stringify({
    message: {
      token,
      notification: { ...(title !== undefined && { title }), ...(text !== undefined && { body: text }) },
      data: dataOf(fitted),
      android: {
        ...android,
        notification: { tag, notification_count: badge, ...(sound !== undefined && { sound }) },
      },
    },
  });
}

/** Collapse key of withdrawals, of which FCM keeps the last one for a phone that is away. */
const COLLAPSE_KEY = 'withdraw';

/** The request body of a message that the phone shows nothing of: its application takes notifications away. `ttl` in seconds. */
export function fcmWithdrawal(token: string, { ids, badge }: Withdrawal, ttl: number): string {
  const data = { withdraw: JSON.stringify(ids), badge: String(badge) };
  const android = { priority: 'NORMAL', collapse_key: COLLAPSE_KEY, ttl: `${ttl}s` };
  return JSON.stringify({ message: { token, data, android } });
}

function dataOf({ message_id, conversation_id, sender, badge, data }: Payload): Record<string, string> {
  return {
    ...(message_id !== undefined && { message_id }),
    ...(conversation_id !== undefined && { conversation_id }),
    ...(sender && { sender: JSON.stringify(sender) }),
    badge: String(badge),
    ...(data && { data: JSON.stringify(data) }),
  };
}

/** Title and text are cut, and `data` and the avatar left out, until they fit. */
function fit(payload: Payload): Payload {
  const { title, text } = payload;
  const short = { ...payload, ...(title !== undefined && { title: cutText(title, 200) }) };
  if (bytesOf(payload) <= MAX_BYTES - FRAME_BYTES) return payload;
  const { data: _data, sender, ...rest } = short;
  const candidates: Payload[] = [short, { ...rest, ...(sender && { sender }) }, rest];
  for (const candidate of candidates) {
    const free = MAX_BYTES - FRAME_BYTES - bytesOf({ ...candidate, text: '' });
    if (free > 0) return text === undefined ? candidate : { ...candidate, text: cutText(text, free) };
  }
  return { badge: payload.badge };
}

function bytesOf(payload: Payload): number {
  const { title, text, sound } = payload;
  return Buffer.byteLength(JSON.stringify({ title, text, sound, data: dataOf(payload) }));
}
