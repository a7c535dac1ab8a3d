/** The content of a push. Values that the platform does not know are absent. */
export type PushContent = {
  /** URI of the message; absent in a push without one. */
  readonly message_id?: string;
  readonly conversation_id?: string;
  /** Names the notification in place of the message, if the application collapses pushes by conversation. */
  readonly tag?: string;
  readonly sender?: {
    readonly user_id: string;
    readonly display_name?: string;
    readonly avatar_url?: string;
  };
  readonly title?: string;
  readonly text?: string;
  readonly sound?: string;
  /** Unread messages and what the application added. */
  readonly badge?: number;
  /** Data that the application sent with a push without a message. */
  readonly data?: Readonly<Record<string, unknown>>;
};

/** The content of a push as the worker got it; of anything else nothing, since a push has to be shown all the same. */
export function readContent(text: string | undefined): PushContent {
  try {
    const content: unknown = JSON.parse(text ?? '');
    return isObject(content) ? Object.fromEntries(Object.entries(content).filter(isOfItsType)) : {};
  } catch {
    return {};
  }
}

const TEXTS = new Set(['message_id', 'conversation_id', 'tag', 'title', 'text', 'sound']);

function isOfItsType([name, value]: [string, unknown]): boolean {
  if (TEXTS.has(name)) return typeof value === 'string';
  if (name === 'badge') return typeof value === 'number' && value >= 0;
  return (name === 'sender' || name === 'data') && isObject(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
