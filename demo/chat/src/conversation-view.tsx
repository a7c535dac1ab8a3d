import type { Conversation } from '@parley/client';
import { usePresence, useTyping } from '@parley/react';
import { useState, type ReactElement } from 'react';
import type { ChatUser } from './chat-user.ts';
import { Composer } from './composer.tsx';
import { Details } from './details.tsx';
import { History } from './history.tsx';
import type { Missed } from './hooks.ts';
import { nameOf, timeOf, titleOf } from './text.ts';

type Props = { user: ChatUser; conversation: Conversation; missed: Missed | undefined; close(): void };

export function ConversationView({ user, conversation, missed, close }: Props): ReactElement {
  const [isDetailed, setDetailed] = useState(false);
  const { typists } = useTyping(conversation.id);
  return (
    <section className="conversation" aria-label={`Conversation of ${user.name}: ${titleOf(conversation)}`}>
      <header>
        <button className="back" aria-label="Back to the conversations" onClick={close}>
          ←
        </button>
        <h3>{titleOf(conversation)}</h3>
        <PresenceOf conversation={conversation} />
        <button aria-expanded={isDetailed} onClick={() => setDetailed(!isDetailed)}>
          Details
        </button>
      </header>
      {isDetailed && <Details conversation={conversation} />}
      <History conversation={conversation} missed={missed} />
      <p className="typing" role="status">
        {typists.length > 0 && `${typists.map(nameOf).join(', ')} is typing …`}
      </p>
      <Composer user={user} conversation={conversation} />
    </section>
  );
}

function PresenceOf({ conversation: { others } }: { conversation: Conversation }): ReactElement | null {
  const presence = usePresence(others.map(({ user_id }) => user_id));
  const [other] = others;
  if (!other || others.length > 1) return <span className="presence">{others.length + 1} participants</span>;
  const { status = 'offline', last_seen_at: seen } = presence[other.user_id] ?? {};
  return (
    <span className="presence" data-presence={status}>
      {status === 'offline' && seen ? `last seen ${timeOf(seen)}` : status}
    </span>
  );
}
