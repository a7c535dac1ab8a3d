import type { Conversation, Message as MessageRecord } from '@parley/client';
import { useConnection, useMessages } from '@parley/react';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react';
import { useArrivals, type Arrivals } from './arrivals.ts';
import { Icon } from './icon.tsx';
import { MessageRow } from './message-row.tsx';
import { nameOf, summaryOf, titleOf } from './names.ts';
import { useIsInSight } from './on-screen.ts';
import { MuteEnd, RefusedReaction } from './reactions.tsx';
import { useLanguage } from './settings.ts';
import { useRows, type Rows } from './use-rows.ts';
import { useMuteEnd } from './writing.tsx';

/** Properties of the list. */
export type MessageListProps = {
  readonly conversation: Conversation;
  /** Messages that are read at a time: 1 to 100, by default 50. */
  readonly pageSize?: number;
};

const DEFAULT_PAGE = 50;
const LONGEST_PAGE = 100;
/** Older messages are read when so few are left above. */
const LOAD_BEFORE = 15;
/** Room above the oldest message, in which “Loading…” stands. */
const TOP_PX = 44;
const BOTTOM_PX = 8;

/**
 * The messages of a conversation. Only those in sight are in the page. It stays at the newest one, and otherwise keeps its place
 * when messages come at either end; what is in sight is marked as read.
 *
 * @param props The conversation.
 * @returns The element, which fills the height that it is given.
 * @example <MessageList conversation={conversation} />
 */
export function MessageList({ conversation, pageSize }: MessageListProps): ReactElement {
  const [size] = useState(pageSize ?? pageFor(conversation));
  const list = useFirstPage(conversation.id, size);
  const { items, status, hasOlder } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const parent = useRef<HTMLDivElement>(null);
  const rows = useRows(items, { scroller, parent });
  const { first, end, isAtEnd, scrollToEnd } = rows;
  const lowerEdge = useRef<HTMLDivElement>(null);
  const isSeen = useIsInSight(lowerEdge) && isAtEnd;
  const arrivals = useArrivals(items, { hasOlder, isSeen });
  useOpening(rows, items, arrivals.lineAbove);
  useFollowOwn(scrollToEnd, items.at(-1));
  useMarkRead(conversation, isSeen && items.length > 0, items);
  useOlder(list, first);
  useKeptFocus(scroller, first);
  const language = useLanguage();
  const { texts, fill } = language;
  const label = fill(texts.messagesWith, { name: titleOf(conversation, language) });
  return (
    <div className="parley-messages">
      <div
        ref={scroller}
        className="parley-scroller"
        role="feed"
        aria-busy={status === 'loading'}
        aria-label={label}
        tabIndex={0}
        onKeyDown={(event) => moveFocus(event, scrollToEnd)}
      >
        <div className="parley-extent" style={{ height: TOP_PX + rows.total + BOTTOM_PX }} />
        {items.length > 0 && hasOlder && <Loading above={rows.total} />}
        <div ref={parent}>
          <MuteEnd.Provider value={useMuteEnd(conversation)}>
            {items.slice(first, end).map((message, offset) => (
              <MessageRow
                key={message.id}
                index={first + offset}
                transform={raisedBy(rows.below(first + offset) + BOTTOM_PX)}
                message={message}
                before={items[first + offset - 1]}
                conversation={conversation}
                isLineAbove={message.id === arrivals.lineAbove}
                isCutOff={first + offset === 0 && hasOlder}
              />
            ))}
          </MuteEnd.Provider>
        </div>
      </div>
      <div ref={lowerEdge} className="parley-lower-edge" />
      {items.length === 0 && (
        <p className="parley-empty">{status === 'ready' ? texts.noMessages : texts.loading}</p>
      )}
      {!isAtEnd && <JumpButton unseen={arrivals.unseen} jump={scrollToEnd} />}
      <Latest messages={arrivals.latest} />
      <RefusedReaction conversationId={conversation.id} />
    </div>
  );
}

function Loading({ above }: { above: number }): ReactElement {
  return (
    <p className="parley-top" style={{ transform: raisedBy(above + BOTTOM_PX) }}>
      {useLanguage().texts.loading}
    </p>
  );
}

/** Puts an element so many pixels above the end of the list; browsers count no shift of the layout for it. */
function raisedBy(pixels: number): string {
  return `translateY(${-pixels}px)`;
}

/** The messages, once more is known than the last one, or nothing more will be known soon. */
function useFirstPage(conversationId: string, pageSize: number): ReturnType<typeof useMessages> {
  const list = useMessages(conversationId, { pageSize });
  const { status } = useConnection();
  const isSoon = list.status === 'loading' && (status === 'connecting' || status === 'online');
  return useMemo(() => (isSoon ? Object.assign({}, list, { items: NOTHING }) : list), [isSoon, list]);
}

const NOTHING: readonly MessageRecord[] = [];

/** Reads older messages when few are left above the first one in sight. */
function useOlder(
  { items, status, hasOlder, loadOlder }: ReturnType<typeof useMessages>,
  first: number,
): void {
  const isNearTop = first < LOAD_BEFORE;
  useEffect(() => {
    // Without a network it is tried again as the list is scrolled.
    if (isNearTop && hasOlder && status === 'ready') loadOlder().catch(() => undefined);
  }, [isNearTop, hasOlder, status, loadOlder, items.length, first]);
}

/** A page that holds what is unread, so that the line above it can be shown. */
function pageFor({ unreadCount }: Conversation): number {
  return Math.min(LONGEST_PAGE, Math.max(DEFAULT_PAGE, unreadCount + LOAD_BEFORE));
}

/** Begins at the first unread message, else at the newest one. */
function useOpening(
  { scrollToRow }: Rows,
  items: readonly MessageRecord[],
  lineAbove: string | undefined,
): void {
  const isOpened = useRef(false);
  useLayoutEffect(() => {
    if (isOpened.current || items.length === 0) return;
    isOpened.current = true;
    const index = lineAbove === undefined ? -1 : items.findIndex(({ id }) => id === lineAbove);
    if (index >= 0) scrollToRow(index);
  }, [scrollToRow, items, lineAbove]);
}

/** Marks the messages as read when the newest one is seen. */
function useMarkRead(conversation: Conversation, isSeen: boolean, items: readonly MessageRecord[]): void {
  useEffect(() => {
    if (isSeen && conversation.unreadCount > 0) conversation.markRead().catch(() => undefined);
  }, [isSeen, items, conversation]);
}

/** Shows what the user has just written, wherever the list was. */
function useFollowOwn(scrollToEnd: () => void, last: MessageRecord | undefined): void {
  const known = useRef(last?.id);
  useLayoutEffect(() => {
    const isNew = known.current !== undefined && known.current !== last?.id;
    known.current = last?.id;
    if (isNew && last?.isOwn && last.state === 'sending') scrollToEnd();
  }, [scrollToEnd, last]);
}

/** Gives the list the focus when the message that had it has been scrolled away. */
function useKeptFocus(scroller: { readonly current: HTMLDivElement | null }, firstIndex: number): void {
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const list = scroller.current;
    const active = (list?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
    if (list && hadFocus.current && (!active || active === document.body))
      list.focus({ preventScroll: true });
    hadFocus.current = active !== null && list?.contains(active ?? null) === true;
  }, [scroller, firstIndex]);
}

/** Page up and down move the focus by a message, as in every feed; Home and End to its ends. Enter opens the menu of a message. */
function moveFocus(event: KeyboardEvent<HTMLElement>, scrollToEnd: () => void): void {
  const list = event.currentTarget;
  const target = event.target as HTMLElement;
  if (event.key === 'End' && (target === list || target.role === 'article')) {
    event.preventDefault();
    scrollToEnd();
    return;
  }
  if (event.key === 'Enter' && target.role === 'article') {
    event.preventDefault();
    target.querySelector<HTMLElement>('.parley-react')?.click();
    return;
  }
  if (event.key !== 'PageUp' && event.key !== 'PageDown') return;
  event.preventDefault();
  const rows = [...list.querySelectorAll<HTMLElement>('[role=article]')];
  const own = target.closest<HTMLElement>('[role=article]');
  const index = own ? rows.indexOf(own) + (event.key === 'PageUp' ? -1 : 1) : lastVisible(rows, list);
  rows[index]?.focus();
}

function lastVisible(rows: readonly HTMLElement[], list: HTMLElement): number {
  const { bottom } = list.getBoundingClientRect();
  return rows.findLastIndex((row) => row.getBoundingClientRect().top < bottom);
}

function JumpButton({ unseen, jump }: { unseen: number; jump: () => void }): ReactElement {
  const { texts, count } = useLanguage();
  return (
    <button type="button" className="parley-jump" onClick={jump}>
      {unseen > 0 && <span>{count(texts.newBelow, unseen)}</span>}
      <span className="parley-hidden">{texts.jumpToNewest}</span>
      <Icon name="down" />
    </button>
  );
}

/** Has screen readers read out what comes. */
function Latest({ messages }: { messages: Arrivals['latest'] }): ReactElement {
  const language = useLanguage();
  const { texts, fill } = language;
  return (
    <div className="parley-hidden" role="log" aria-live="polite" aria-label={texts.newMessages}>
      {messages.map((message) => (
        <p key={message.id}>
          {fill(texts.messageFrom, {
            name: nameOf(message.sender, language),
            text: summaryOf(message, language),
          })}
        </p>
      ))}
    </div>
  );
}
