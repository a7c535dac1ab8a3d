import type { Conversation } from '@parley/client';
import { useConversations } from '@parley/react';
import { useRef, type KeyboardEvent, type ReactElement } from 'react';
import { useDraft } from './drafts.ts';
import { nameOf, summaryOf, titleOf } from './names.ts';
import { NewConversation } from './new-conversation.tsx';
import { ENTRY_PX, useEntries } from './use-entries.ts';
import { useComponents, useLanguage } from './settings.ts';

/** Properties of the list. */
export type ConversationListProps = {
  /** URI of the conversation that is open. */
  readonly selected?: string | undefined;
  readonly select: (id: string) => void;
  /** Whether the user may begin conversations; by default true. */
  readonly canCreate?: boolean;
};

/**
 * The conversations of the user, the one with the newest message first. Only those in sight are in the page.
 *
 * @param props The conversation that is open, and what opens another one.
 * @returns The element, which fills the height that it is given.
 * @example <ConversationList selected={id} select={setId} />
 */
export function ConversationList({
  selected,
  select,
  canCreate = true,
}: ConversationListProps): ReactElement {
  const { items, status } = useConversations();
  const { texts } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useEntries(scroller, items.length);
  return (
    <nav className="parley-conversations" aria-label={texts.conversations}>
      <header className="parley-header">
        <h2>{texts.conversations}</h2>
        {canCreate && <NewConversation created={select} />}
      </header>
      {items.length === 0 && (
        <p className="parley-empty">{status === 'loading' ? texts.loading : texts.noConversations}</p>
      )}
      <div ref={scroller} className="parley-scroller">
        <ul style={{ height: items.length * ENTRY_PX }} onKeyDown={moveFocus}>
          {items.slice(first, end).map((conversation, offset) => (
            <li key={conversation.id} style={{ transform: `translateY(${(first + offset) * ENTRY_PX}px)` }}>
              <Entry conversation={conversation} isSelected={conversation.id === selected} select={select} />
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

type EntryProps = {
  readonly conversation: Conversation;
  readonly isSelected: boolean;
  readonly select: (id: string) => void;
};

function Entry({ conversation, isSelected, select }: EntryProps): ReactElement {
  const language = useLanguage();
  const { Avatar } = useComponents();
  const { texts, short, count } = language;
  const { id, lastMessage, unreadCount, others } = conversation;
  const sent = lastMessage?.sentAt;
  return (
    <button
      type="button"
      className="parley-entry"
      aria-current={isSelected || undefined}
      onClick={() => select(id)}
    >
      <Avatar identities={others} size="large" />
      <strong dir="auto">{titleOf(conversation, language)}</strong>
      <time dateTime={sent}>{sent !== undefined && short(new Date(sent))}</time>
      <Preview conversation={conversation} isSelected={isSelected} />
      {unreadCount > 0 && (
        <span className="parley-badge">
          <span aria-hidden="true">{unreadCount > MOST_SHOWN ? `${MOST_SHOWN}+` : unreadCount}</span>
          <span className="parley-hidden">{count(texts.unread, unreadCount)}</span>
        </span>
      )}
    </button>
  );
}

const MOST_SHOWN = 99;

/** The draft, else the newest message. */
function Preview({ conversation, isSelected }: Omit<EntryProps, 'select'>): ReactElement {
  const language = useLanguage();
  const { texts } = language;
  const [draft] = useDraft(conversation.id);
  const { lastMessage, others } = conversation;
  if (draft !== '' && !isSelected)
    return (
      <span className="parley-preview">
        <em>{texts.draft}</em> {draft}
      </span>
    );
  const isNamed = lastMessage?.isOwn || others.length > 1;
  const name = lastMessage?.isOwn ? texts.you : nameOf(lastMessage?.sender ?? null, language);
  return (
    <span className="parley-preview" dir="auto">
      {lastMessage && (isNamed ? `${name}: ` : '') + summaryOf(lastMessage, language)}
    </span>
  );
}

/** Arrow keys move among the conversations. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('.parley-entry')];
  entries[entries.indexOf(event.target as HTMLElement) + step]?.focus();
}
