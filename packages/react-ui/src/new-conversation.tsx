import type { BasicIdentity } from '@parley/client';
import { useClient } from '@parley/react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Icon } from './icon.tsx';
import { nameOf } from './names.ts';
import { useComponents, useLanguage } from './settings.ts';

/** A button with a dialog, in which the user chooses whom to write to. */
export function NewConversation({ created }: { created: (id: string) => void }): ReactElement {
  const { texts } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="parley-button"
        aria-label={texts.newConversation}
        title={texts.newConversation}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon name="add" />
      </button>
      {isOpen && (
        <Invitation
          close={() => setOpen(false)}
          created={(id) => {
            setOpen(false);
            created(id);
          }}
        />
      )}
    </>
  );
}

type InvitationProps = { readonly close: () => void; readonly created: (id: string) => void };

function Invitation({ close, created }: InvitationProps): ReactElement {
  const language = useLanguage();
  const { texts, fill } = language;
  const { UserPicker } = useComponents();
  const { chosen, setChosen, problem, create } = useInvitation(created);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="parley-dialog" aria-label={texts.newConversation} onClose={close}>
      <h2>{texts.newConversation}</h2>
      <ul className="parley-chosen">
        {chosen.map((one) => (
          <li key={one.id}>
            <bdi>{nameOf(one, language)}</bdi>
            <button
              type="button"
              aria-label={fill(texts.removePerson, { name: nameOf(one, language) })}
              onClick={() => setChosen(chosen.filter(({ id }) => id !== one.id))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <UserPicker exclude={chosen.map(({ user_id: id }) => id)} pick={(one) => setChosen([...chosen, one])} />
      {problem !== '' && (
        <p className="parley-problem" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <button type="button" className="parley-plain" onClick={() => dialog.current?.close()}>
          {texts.cancel}
        </button>
        <button type="button" className="parley-primary" disabled={chosen.length === 0} onClick={create}>
          {texts.start}
        </button>
      </footer>
    </dialog>
  );
}

function useInvitation(created: (id: string) => void) {
  const client = useClient();
  const [chosen, setChosen] = useState<readonly BasicIdentity[]>([]);
  const [problem, setProblem] = useState('');
  function create(): void {
    const participants = chosen.map(({ user_id: id }) => id);
    // Two users have one conversation, which may exist.
    client?.createConversation({ participants, distinct: participants.length === 1 }).then(
      ({ id }) => created(id),
      (error: Error) => setProblem(error.message),
    );
  }
  return { chosen, setChosen, problem, create };
}
