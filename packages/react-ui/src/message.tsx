import type { Conversation, Message as MessageRecord } from '@parley/client';
import { memo, type ReactElement } from 'react';
import { nameOf } from './names.ts';
import { isNotice } from './notice.ts';
import { ReactButton } from './react-menu.tsx';
import { useComponents, useLanguage } from './settings.ts';

/** Properties of a message. */
export type MessageProps = {
  readonly message: MessageRecord;
  readonly conversation: Conversation;
  /** Whether the message before it is by another sender, of another day, or much older. */
  readonly isFirstOfGroup: boolean;
};

/**
 * A message with its files, its reactions, its time and how far it has come. A notice is its text alone, in the middle.
 *
 * @param props The message, its conversation, and whether the sender is named.
 * @returns The element.
 * @example <Message message={message} conversation={conversation} isFirstOfGroup />
 */
export const Message = memo(function Message({
  message,
  conversation,
  isFirstOfGroup,
}: MessageProps): ReactElement {
  const language = useLanguage();
  const { Attachment, Avatar, MessageText, Reactions } = useComponents();
  const { isOwn, sender, state, text, parts } = message;
  const files = parts.filter(({ content }) => content !== null);
  const isGroup = conversation.others.length > 1;
  const name = isOwn ? language.texts.you : nameOf(sender, language);
  if (isNotice(message))
    return (
      <div className="parley-notice" data-state={state} title={name}>
        <MessageText text={text} />
        {state === 'failed' && <Failed message={message} />}
      </div>
    );
  return (
    <div
      className="parley-message"
      data-own={isOwn || undefined}
      data-state={state}
      data-first={isFirstOfGroup || undefined}
    >
      {isGroup && !isOwn && (
        <span className="parley-message-avatar">
          {isFirstOfGroup && <Avatar identities={[sender]} size="small" />}
        </span>
      )}
      <div className="parley-bubble">
        <span className={isGroup && !isOwn && isFirstOfGroup ? 'parley-sender' : 'parley-hidden'}>
          <bdi>{name}</bdi>
        </span>
        {files.map((part) => (
          <Attachment key={part.id} part={part} />
        ))}
        {text !== '' && <MessageText text={text} />}
        <Reactions message={message} conversation={conversation} />
        <MessageFooter message={message} conversation={conversation} />
        {state === 'failed' && <Failed message={message} />}
      </div>
      <ReactButton message={message} conversation={conversation} />
    </div>
  );
});

type FooterProps = Pick<MessageProps, 'message' | 'conversation'>;

function MessageFooter({ message, conversation }: FooterProps): ReactElement {
  const { texts, time, moment } = useLanguage();
  const { ReadReceipts } = useComponents();
  const { isOwn, sentAt } = message;
  const sent = sentAt === undefined ? undefined : new Date(sentAt);
  const isEdited = message.parts.some(({ updated_at: at }) => at !== null && at !== undefined);
  return (
    <span className="parley-message-footer">
      {isEdited && <span>{texts.edited}</span>}
      {sent && (
        <time dateTime={sentAt} title={moment(sent)}>
          {time(sent)}
        </time>
      )}
      {isOwn && <ReadReceipts message={message} conversation={conversation} />}
    </span>
  );
}

function Failed({ message }: { message: MessageRecord }): ReactElement {
  const { texts, fill } = useLanguage();
  const reason = message.error?.message ?? message.error?.id ?? '';
  return (
    <p className="parley-failed">
      <span>{fill(texts.notSent, { reason })}</span>
      <button type="button" onClick={() => void message.retry()}>
        {texts.retry}
      </button>
      <button type="button" onClick={() => void message.discard()}>
        {texts.discard}
      </button>
    </p>
  );
}
