/** Payload for the application on a device. Absent values are left out. */
export type Payload = {
  message_id?: string;
  conversation_id?: string;
  /** Tag of the notification in a browser, when it is not the message's id. */
  tag?: string;
  sender?: { user_id: string; display_name?: string; avatar_url?: string };
  title?: string;
  text?: string;
  sound?: string;
  /** Unread messages and what the application added. */
  badge: number;
  data?: object;
};

const ELLIPSIS = '…';
/** Bytes of JSON that a title keeps when the payload is too large. */
const SHORT_TITLE_BYTES = 200;

/**
 * The payload as JSON of at most `maxBytes` bytes: its text is cut between characters as readers see them, after the title; what
 * still does not fit is left out.
 */
export function fitPayload(payload: Payload, maxBytes: number): string {
  const steps: ((payload: Payload) => Payload)[] = [
    (one) => one,
    (one) => withTitle(one, SHORT_TITLE_BYTES),
    (one) => withText(one, maxBytes),
    ({ sound: _sound, ...one }) => withText(one, maxBytes),
    (one) => withText(withoutAvatar(one), maxBytes),
    ({ data: _data, ...one }) => withText(one, maxBytes),
    ({ message_id, conversation_id, tag, badge }) => ({
      ...(message_id !== undefined && { message_id }),
      ...(conversation_id !== undefined && { conversation_id }),
      ...(tag !== undefined && { tag }),
      badge,
    }),
  ];
  const original = payload;
  let cut = payload;
  for (const step of steps) {
    const { text } = original;
    cut = step(text === undefined ? cut : { ...cut, text });
    if (Buffer.byteLength(JSON.stringify(cut)) <= maxBytes) break;
  }
  return JSON.stringify(cut);
}

function withTitle(payload: Payload, maxBytes: number): Payload {
  const { title } = payload;
  return title === undefined ? payload : { ...payload, title: cutText(title, maxBytes) };
}

function withText(payload: Payload, maxBytes: number): Payload {
  const { text } = payload;
  if (text === undefined) return payload;
  const others = Buffer.byteLength(JSON.stringify({ ...payload, text: '' }));
  return { ...payload, text: cutText(text, maxBytes - others) };
}

function withoutAvatar({ sender, ...payload }: Payload): Payload {
  if (!sender) return payload;
  const { avatar_url: _avatar, ...rest } = sender;
  return { ...payload, sender: rest };
}

/** The text, or as much of its beginning with an ellipsis as fits into a number of bytes of JSON. */
export function cutText(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  let cut = '';
  let size = bytesOf(ELLIPSIS);
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) {
    size += bytesOf(segment);
    if (size > maxBytes) break;
    cut += segment;
  }
  return cut === '' ? '' : cut + ELLIPSIS;
}

/** Bytes of a text within JSON. */
function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
