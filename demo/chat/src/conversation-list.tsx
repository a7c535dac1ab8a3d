import type { Conversation } from '@parley/client';
import { useClient, useConversations } from '@parley/react';
import { useState, type FormEvent, type ReactElement } from 'react';
import { addUser } from './backend.ts';
import { Badge } from './pane-header.tsx';
import { nameOf, timeOf, titleOf } from './text.ts';

type Props = { owner: string; opened: string | undefined; open(id: string): void };

export function ConversationList({ owner, opened, open }: Props): ReactElement {
  const { items, status } = useConversations();
  return (
    <nav className="conversations" aria-label={`Conversations of ${owner}`}>
      {items.length === 0 && (
        <p className="empty">{status === 'loading' ? 'Loading …' : 'No conversations yet.'}</p>
      )}
      <ul>
        {items.map((conversation) => (
          <li key={conversation.id}>
            <Entry conversation={conversation} isOpened={conversation.id === opened} open={open} />
          </li>
        ))}
      </ul>
      <NewConversation open={open} />
    </nav>
  );
}

type EntryProps = { conversation: Conversation; isOpened: boolean; open(id: string): void };

function Entry({ conversation, isOpened, open }: EntryProps): ReactElement {
  const { id, lastMessage, unreadCount } = conversation;
  return (
    <button className="entry" aria-current={isOpened || undefined} onClick={() => open(id)}>
      <strong>{titleOf(conversation)}</strong>
      {lastMessage?.sentAt && <time dateTime={lastMessage.sentAt}>{timeOf(lastMessage.sentAt)}</time>}
      <span className="last">
        {lastMessage && `${lastMessage.isOwn ? 'You' : nameOf(lastMessage.sender)}: ${lastMessage.text}`}
      </span>
      {unreadCount > 0 && <Badge count={unreadCount} what="unread" />}
    </button>
  );
}

function NewConversation({ open }: { open(id: string): void }): ReactElement {
  const client = useClient();
  const [names, setNames] = useState('');
  const [problem, setProblem] = useState('');
  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    const participants = names
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    if (!client || participants.length === 0) return;
    try {
      await Promise.all(participants.map(addUser));
      const conversation = await client.createConversation({
        participants,
        distinct: participants.length === 1,
      });
      setNames('');
      setProblem('');
      open(conversation.id);
    } catch (error) {
      setProblem(String(error));
    }
  }
  return (
    <form className="new" onSubmit={(event) => void create(event)}>
      <input
        aria-label="Write to"
        placeholder="Write to …"
        value={names}
        onChange={({ target }) => setNames(target.value)}
      />
      <button>New</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
