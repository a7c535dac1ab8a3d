import type { Message } from '@parley/client';

/** Whether a message is a notice, as the application's metadata say: a text about the conversation, and nothing that somebody said. */
export function isNotice({ metadata, parts, text }: Pick<Message, 'metadata' | 'parts' | 'text'>): boolean {
  return metadata['kind'] === 'system' && text !== '' && parts.every(({ content }) => content === null);
}
