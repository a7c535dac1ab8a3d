import { useState, type ReactElement } from 'react';
import { useComponents, useLanguage } from './settings.ts';

/** Properties of a chat. */
export type ChatProps = {
  /** URI of the one conversation that is shown; without it the list of all stands beside the one that is open. */
  readonly conversationId?: string | undefined;
  /** Whether the user may begin conversations; by default true. */
  readonly canCreate?: boolean;
  /** URI of the conversation that is open beside the list, for an application that keeps it, such as in its address; with `select`. */
  readonly selected?: string | undefined;
  /** Called when the user opens a conversation, or goes back to the list: then without an id. Without it the chat keeps what is open. */
  readonly select?: (id: string | undefined) => void;
};

/**
 * A whole chat: the conversations, and the one that is open. Where there is no room for both, one of them is shown.
 *
 * @param props The one conversation, or nothing for all.
 * @returns The element, which fills the place that it is given.
 * @example <ParleyProvider client={client}><Chat /></ParleyProvider>
 */
export function Chat({ conversationId, canCreate = true, selected, select }: ChatProps): ReactElement {
  const { Conversation, ConversationList } = useComponents();
  const { texts } = useLanguage();
  const [kept, keep] = useState<string>();
  const [opened, open] = select ? [selected, select] : [kept, keep];
  if (conversationId !== undefined)
    return (
      <div className="parley-chat">
        <Conversation conversationId={conversationId} />
      </div>
    );
  return (
    <div className="parley-chat" data-list data-opened={opened !== undefined || undefined}>
      <ConversationList selected={opened} select={open} canCreate={canCreate} />
      {opened === undefined ? (
        <p className="parley-empty parley-conversation">{texts.chooseConversation}</p>
      ) : (
        <Conversation conversationId={opened} back={() => open(undefined)} />
      )}
    </div>
  );
}
