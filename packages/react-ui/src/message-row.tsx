import type { Conversation, Message as MessageRecord } from '@parley/client';
import { memo, type ReactElement } from 'react';
import { isNotice } from './notice.ts';
import { useComponents, useLanguage } from './settings.ts';

type Props = {
  readonly index: number;
  /** Its place. */
  readonly transform: string;
  readonly message: MessageRecord;
  /** The message above it. */
  readonly before: MessageRecord | undefined;
  readonly conversation: Conversation;
  readonly isLineAbove: boolean;
  /** Whether there is an older message that has not been read yet. */
  readonly isCutOff: boolean;
};

/** A sender is named again after so many milliseconds. */
const GROUP_MS = 5 * 60_000;

/** A message in the list, below the day if it is the first one of it, and below the line if it is the first new one. */
export const MessageRow = memo(function MessageRow(props: Props): ReactElement {
  const { index, transform, message, before, conversation, isLineAbove, isCutOff } = props;
  const { texts, day } = useLanguage();
  const { Message } = useComponents();
  const at = dateOf(message);
  // Whether it is the first one of its day is known with the message above it; it would shrink then.
  const isFirstOfDay = before ? dateOf(before).toDateString() !== at.toDateString() : !isCutOff;
  const isFirstOfGroup = isFirstOfDay || isLineAbove || (before !== undefined && !isInGroup(before, message));
  return (
    <div
      className="parley-row"
      role="article"
      aria-posinset={index + 1}
      aria-setsize={-1}
      tabIndex={-1}
      style={{ transform }}
    >
      {isFirstOfDay && <p className="parley-day">{day(at)}</p>}
      {isLineAbove && <p className="parley-line">{texts.newMessages}</p>}
      <Message message={message} conversation={conversation} isFirstOfGroup={isFirstOfGroup} />
    </div>
  );
});

/** When it was sent; of a message that waits, now. */
function dateOf({ sentAt }: MessageRecord): Date {
  return sentAt === undefined ? new Date() : new Date(sentAt);
}

function isInGroup(before: MessageRecord, message: MessageRecord): boolean {
  const isSameSender = before.sender?.id === message.sender?.id && !isNotice(before);
  return isSameSender && dateOf(message).getTime() - dateOf(before).getTime() < GROUP_MS;
}
