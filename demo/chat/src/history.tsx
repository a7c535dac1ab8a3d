import type { Conversation, Message } from '@parley/client';
import { useMessages } from '@parley/react';
import { Fragment, useEffect, useRef, type ReactElement } from 'react';
import { useOnScreen, type Missed } from './hooks.ts';
import { MessageView } from './message-view.tsx';
import { dayOf, titleOf } from './text.ts';
import { UploadsOf } from './uploads-of.tsx';

/** More than there is room for, so that the place of older messages is out of sight at first. */
const PAGE_SIZE = 20;

type Props = { conversation: Conversation; missed: Missed | undefined };

/** The messages, the newest at the bottom: the style sheet keeps it in sight. Older pages are read as their place comes in sight. */
export function History({ conversation, missed }: Props): ReactElement {
  const { items, status, hasOlder, loadOlder } = useMessages(conversation.id, { pageSize: PAGE_SIZE });
  const [top, end] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const isAtEnd = useOnScreen(end);
  useEffect(() => {
    if (!top.current || !hasOlder || status === 'loading') return;
    // Without a network it is tried again when the place comes in sight again.
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) loadOlder().catch(() => undefined);
    });
    observer.observe(top.current);
    // Anew after each page, since the place may be in sight still.
    return () => observer.disconnect();
  }, [hasOlder, loadOlder, status, items.length]);
  useEffect(() => {
    if (isAtEnd && conversation.unreadCount > 0) conversation.markRead().catch(() => undefined);
  }, [isAtEnd, conversation]);
  const firstMissed = missed && items.find((one) => isMissed(one, missed));
  return (
    <div className="history" role="log" aria-label={`Messages with ${titleOf(conversation)}`} tabIndex={0}>
      <div>
        <div ref={top} className="edge">
          {(hasOlder || status === 'loading') && 'Loading …'}
        </div>
        <ol>
          {items.map((message, index) => (
            <Fragment key={message.id}>
              {isFirstOfDay(items, index) && <Separator text={dayOf(message.sentAt)} />}
              {message === firstMissed && <Separator text="While you were away" />}
              <MessageView message={message} conversation={conversation} />
            </Fragment>
          ))}
        </ol>
        <UploadsOf conversation={conversation.id} />
        <div ref={end} className="edge" />
      </div>
    </div>
  );
}

function isMissed({ isOwn, sentAt = '' }: Message, { since, until }: Missed): boolean {
  return !isOwn && sentAt > since && sentAt <= until;
}

function isFirstOfDay(items: readonly Message[], index: number): boolean {
  const before = items[index - 1];
  return !before || dayOf(before.sentAt) !== dayOf(items[index]?.sentAt);
}

function Separator({ text }: { text: string }): ReactElement {
  return <li className="separator">{text}</li>;
}
