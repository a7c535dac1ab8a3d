import type { Conversation, Message } from '@parley/client';
import type { ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { nameOf } from './names.ts';
import { useLanguage } from './settings.ts';

/** Properties of the mark. */
export type ReadReceiptsProps = {
  /** A message of the user's own. */
  readonly message: Message;
  readonly conversation: Conversation;
};

const REACHED = ['sent', 'delivered', 'read'] as const;

/**
 * Shows how far a message has come: as far as with the participant with whom it has come least far. Its title names who has
 * read it.
 *
 * @param props The message, and its conversation.
 * @returns The element.
 * @example <ReadReceipts message={message} conversation={conversation} />
 */
export function ReadReceipts({ message, conversation }: ReadReceiptsProps): ReactElement {
  const language = useLanguage();
  const { texts, list } = language;
  const { state, recipientStatus } = message;
  const statuses = conversation.others.map(({ id }) => recipientStatus[id] ?? 'sent');
  const reached = REACHED.find((one) => statuses.includes(one)) ?? 'sent';
  const mark = state === 'sent' ? reached : state;
  const readers = conversation.others.filter(({ id }) => recipientStatus[id] === 'read');
  const isPartly = state === 'sent' && reached !== 'read' && readers.length > 0;
  const title = isPartly
    ? `${texts.read}: ${list(readers.map((one) => nameOf(one, language)))}`
    : texts[mark];
  return (
    <span className="parley-receipt" data-receipt={mark} title={title}>
      <Icon name={mark === 'read' ? 'delivered' : mark} />
      <span className="parley-hidden">{title}</span>
    </span>
  );
}
