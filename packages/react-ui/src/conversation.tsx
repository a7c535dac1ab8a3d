import type { Conversation as ConversationRecord } from '@parley/client';
import { useConnection, useConversation } from '@parley/react';
import { useState, type ReactElement, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { titleOf } from './names.ts';
import { useComponents, useLanguage } from './settings.ts';

/** Properties of a conversation. */
export type ConversationProps = {
  /** URI of the conversation. */
  readonly conversationId: string;
  /** Goes back to the list; the button is shown where there is no room for both. */
  readonly back?: () => void;
  /** More buttons in the header. */
  readonly actions?: ReactNode;
};

/**
 * A conversation: its header, its messages, who types, and the field in which the next message is written.
 *
 * @param props The conversation.
 * @returns The element, which fills the height that it is given.
 * @example <Conversation conversationId={id} />
 */
export function Conversation({ conversationId, back, actions }: ConversationProps): ReactElement {
  const conversation = useConversation(conversationId);
  const { status } = useConnection();
  const { texts } = useLanguage();
  if (!conversation)
    return (
      <section className="parley-conversation">
        <p className="parley-empty" role="status">
          {status === 'online' ? texts.noSuchConversation : texts.loading}
        </p>
      </section>
    );
  // A distinct conversation takes another id when the platform has created it; the list goes on then.
  return <Opened key={conversationId} conversation={conversation} back={back} actions={actions} />;
}

type OpenedProps = {
  readonly conversation: ConversationRecord;
  readonly back: (() => void) | undefined;
  readonly actions: ReactNode;
};

function Opened({ conversation, back, actions }: OpenedProps): ReactElement {
  const language = useLanguage();
  const { texts } = language;
  const { Composer, ConversationDetails, MessageList, TypingIndicator } = useComponents();
  const [isDetailed, setDetailed] = useState(false);
  return (
    <section className="parley-conversation" aria-label={titleOf(conversation, language)}>
      <header className="parley-header">
        {back && (
          <button type="button" className="parley-button parley-back" aria-label={texts.back} onClick={back}>
            <Icon name="back" />
          </button>
        )}
        <Heading conversation={conversation} />
        {actions}
        <button
          type="button"
          className="parley-button"
          aria-label={texts.details}
          title={texts.details}
          aria-expanded={isDetailed}
          onClick={() => setDetailed(!isDetailed)}
        >
          <Icon name="details" />
        </button>
      </header>
      <ConnectionNotice />
      <div className="parley-conversation-body">
        <div className="parley-conversation-main">
          <MessageList conversation={conversation} />
          <TypingIndicator conversationId={conversation.id} />
          <Composer conversation={conversation} />
        </div>
        {isDetailed && <ConversationDetails conversation={conversation} close={() => setDetailed(false)} />}
      </div>
    </section>
  );
}

function Heading({ conversation }: { conversation: ConversationRecord }): ReactElement {
  const language = useLanguage();
  const { texts, count } = language;
  const { Avatar, PresenceDot } = useComponents();
  const { others } = conversation;
  const [other] = others;
  const isGroup = others.length > 1;
  return (
    <>
      <Avatar identities={others} size="medium" />
      <div className="parley-heading">
        <h2 dir="auto">{titleOf(conversation, language)}</h2>
        {isGroup ? (
          <small>{count(texts.participants, others.length + 1)}</small>
        ) : (
          <div className="parley-heading-note">{other && <PresenceDot userId={other.user_id} hasText />}</div>
        )}
      </div>
    </>
  );
}

/** Says that the device is offline, since messages wait then. */
function ConnectionNotice(): ReactElement {
  const { status } = useConnection();
  const { texts } = useLanguage();
  return (
    <p className="parley-notice" role="status" data-status={status}>
      {status === 'offline' && texts.offlineNotice}
    </p>
  );
}
