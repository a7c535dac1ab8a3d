import type { BasicIdentity, Conversation } from '@parley/client';
import { useClient } from '@parley/react';
import { useState, type ReactElement } from 'react';
import { DialogButton, Problem } from './dialog-button.tsx';
import { Icon } from './icon.tsx';
import { isWithinReach, Moderation, RoleOf } from './moderation.tsx';
import { nameOf } from './names.ts';
import { useRefusal } from './refusals.ts';
import { RestrictButton } from './restricting.tsx';
import { useComponents, useLanguage } from './settings.ts';
import { useRules } from './types.ts';

/** Properties of the details. */
export type ConversationDetailsProps = {
  readonly conversation: Conversation;
  readonly close: () => void;
};

/**
 * Title and participants of a conversation, with what the user may change of them, and the tools of its moderators.
 *
 * @param props The conversation.
 * @returns The element.
 * @example <ConversationDetails conversation={conversation} close={() => setOpen(false)} />
 */
export function ConversationDetails({ conversation, close }: ConversationDetailsProps): ReactElement {
  const { texts } = useLanguage();
  const { participants, distinct, isParticipant } = conversation;
  const { attempt, problem } = useAttempts(conversation.id);
  const [changes, setChanges] = useState(0);
  useRules(conversation);
  const canChange = isParticipant && !distinct;
  return (
    <aside
      className="parley-details"
      aria-label={texts.details}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <header className="parley-header">
        <h2>{texts.details}</h2>
        <button type="button" className="parley-button" aria-label={texts.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {canChange && conversation.can('patch_metadata') && (
        <Title conversation={conversation} attempt={attempt} />
      )}
      <h3>{texts.people}</h3>
      <ul>
        {participants.map((one) => (
          <Person
            key={one.id}
            identity={one}
            conversation={conversation}
            attempt={attempt}
            restricted={() => setChanges((count) => count + 1)}
          />
        ))}
      </ul>
      {canChange && conversation.can('add_participants') && (
        <AddPeople conversation={conversation} attempt={attempt} />
      )}
      <Moderation conversation={conversation} attempt={attempt} changes={changes} />
      <Problem text={problem} />
      <footer>
        {canChange && (
          <DialogButton label={texts.leave} className="parley-danger" act={() => conversation.leave()} />
        )}
        <button type="button" className="parley-danger" onClick={() => attempt(conversation.delete())}>
          {texts.deleteForMe}
        </button>
      </footer>
    </aside>
  );
}

/** The operations by which the details change a conversation. */
const CHANGES = ['patch', 'deleteConversation'];

/** Changes of the user, and why the last one failed here, or was refused by the platform later. */
function useAttempts(conversationId: string) {
  const [problem, setProblem] = useState('');
  useRefusal(conversationId, CHANGES, setProblem);
  function attempt(change: Promise<unknown>): void {
    setProblem('');
    change.catch(({ message }: Error) => setProblem(message));
  }
  return { attempt, problem };
}

type Part = { readonly conversation: Conversation; readonly attempt: (change: Promise<unknown>) => void };

function Title({ conversation, attempt }: Part): ReactElement {
  const { texts } = useLanguage();
  const { title } = conversation.metadata;
  const kept = typeof title === 'string' ? title : '';
  const [text, setText] = useState(kept);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const next = text.trim();
        attempt(
          next === '' ? conversation.deleteMetadata(['title']) : conversation.setMetadata(['title'], next),
        );
      }}
    >
      <input
        className="parley-field"
        aria-label={texts.title}
        placeholder={texts.title}
        dir="auto"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <button className="parley-plain" disabled={text.trim() === kept}>
        {texts.save}
      </button>
    </form>
  );
}

function AddPeople({ conversation, attempt }: Part): ReactElement {
  const { texts } = useLanguage();
  const { UserPicker } = useComponents();
  return (
    <>
      <h3>{texts.addPeople}</h3>
      <UserPicker
        exclude={conversation.participants.map(({ user_id: id }) => id)}
        pick={({ id }) => attempt(conversation.addParticipants([id]))}
      />
    </>
  );
}

function Person({
  identity,
  conversation,
  attempt,
  restricted,
}: Part & { readonly identity: BasicIdentity; readonly restricted: () => void }): ReactElement {
  const language = useLanguage();
  const { texts, fill } = language;
  const { Avatar, BlockMenu, PresenceDot } = useComponents();
  const me = useClient()?.user?.id;
  const name = nameOf(identity, language);
  const isOther = identity.id !== me;
  const isReached = isWithinReach(conversation, me, identity.id);
  const canRemove = isReached && !conversation.distinct && conversation.can('remove_participants');
  return (
    <li>
      <Avatar identities={[identity]} size="medium" />
      <span>
        <bdi>{name}</bdi>
        {isOther ? <PresenceDot userId={identity.user_id} hasText /> : <small>{texts.you}</small>}
      </span>
      <RoleOf conversation={conversation} identity={identity} attempt={attempt} />
      {isOther && (
        <BlockMenu identity={identity}>
          {canRemove && (
            <DialogButton
              label={fill(texts.removePerson, { name })}
              act={() => conversation.removeParticipants([identity.id])}
            />
          )}
          {isReached && conversation.can('restrict') && (
            <RestrictButton conversation={conversation} identity={identity} done={restricted} />
          )}
        </BlockMenu>
      )}
    </li>
  );
}
