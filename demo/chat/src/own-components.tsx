import type { BasicIdentity, Client, Conversation } from '@parley/client';
import { useClient } from '@parley/react';
import {
  Composer,
  useDraft,
  UserPicker,
  type Components,
  type ComposerProps,
  type UserPickerProps,
} from '@parley/react-ui';
import { useEffect, useState, type ReactElement } from 'react';
import { addUser, schedule } from './backend.ts';

/** Components of the package, with more of the demonstration's own. */
export const COMPONENTS: Partial<Components> = { Composer: OwnComposer, UserPicker: OwnUserPicker };

/** With a button for scheduled messages. */
function OwnComposer(props: ComposerProps): ReactElement {
  return (
    <Composer {...props}>
      <LaterButton conversation={props.conversation} />
    </Composer>
  );
}

const NOTE_MS = 5_000;

/** Has the application's backend send what is written in five seconds. */
function LaterButton({ conversation }: { conversation: Conversation }): ReactElement {
  const client = useClient();
  const [draft, setDraft] = useDraft(conversation.id);
  const [note, setNote] = useState('');
  useEffect(() => {
    if (note === '') return;
    const timer = setTimeout(() => setNote(''), NOTE_MS);
    return () => clearTimeout(timer);
  }, [note]);
  async function sendLater(): Promise<void> {
    setDraft('');
    conversation.setTyping(false);
    try {
      await schedule(client?.user?.user_id ?? '', conversation.id, draft.trim());
      setNote('It is sent in five seconds.');
    } catch (error) {
      setDraft(draft);
      setNote(String(error));
    }
  }
  return (
    <>
      <button
        type="button"
        className="parley-button"
        aria-label="Later"
        title="Send in five seconds"
        disabled={draft.trim() === ''}
        onClick={() => void sendLater()}
      >
        <svg className="parley-icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3 2" />
        </svg>
      </button>
      <span className="later-note" role="status">
        {note}
      </span>
    </>
  );
}

/** Whoever is named exists: the backend adds users who are new. */
function OwnUserPicker(props: UserPickerProps): ReactElement {
  const client = useClient();
  return <UserPicker {...props} find={(name) => findOrAdd(client, name.toLowerCase())} />;
}

async function findOrAdd(client: Client | null, userId: string): Promise<BasicIdentity | undefined> {
  await addUser(userId);
  return client?.identity(userId);
}
