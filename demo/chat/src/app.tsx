import { ParleyProvider } from '@parley/react-ui';
import { useEffect, useState, type ReactElement } from 'react';
import type { ChatUser } from './chat-user.ts';
import { Drawer } from './drawer.tsx';
import { COMPONENTS } from './own-components.tsx';
import { Pane } from './pane.tsx';
import { useTour, type Tour } from './use-tour.ts';

/** A window for each user, each with a client of its own. */
export function App({ users }: { users: readonly ChatUser[] }): ReactElement {
  const [shown, show] = useState(users[0]?.id);
  const [said, say] = useState('');
  const [isOpen, setOpen] = useState(false);
  const tour = useTour(users, say);
  useEffect(() => {
    const ends = users.map((user) => user.notifications.onClick(() => show(user.id)));
    return () => ends.forEach((end) => end());
  }, [users]);
  return (
    <>
      <header className="top">
        <h1>Parley</h1>
        {users.length > 1 && (
          <nav className="users" aria-label="Users">
            {users.map(({ id, name }) => (
              <button key={id} aria-pressed={id === shown} onClick={() => show(id)}>
                {name}
              </button>
            ))}
          </nav>
        )}
        <Narration said={said} tour={tour} />
        {tour && (
          <button disabled={tour.step > 0} onClick={tour.start}>
            Tour
          </button>
        )}
        <button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Under the hood
        </button>
      </header>
      <main data-users={users.length}>
        {users.map((user) => (
          <ParleyProvider key={user.id} client={user.client} texts={user.texts} components={COMPONENTS}>
            <Pane user={user} isShown={user.id === shown} isAlone={users.length === 1} />
          </ParleyProvider>
        ))}
      </main>
      {isOpen && <Drawer users={users} shown={shown} say={say} />}
    </>
  );
}

/** Says what has just been done, and leads through the tour. */
function Narration({ said, tour }: { said: string; tour: Tour | undefined }): ReactElement {
  const { step = 0, of = 0 } = tour ?? {};
  return (
    <div className="narration" data-shown={said !== '' || undefined}>
      <p role="status">{said}</p>
      {tour && step > 0 && (
        <>
          <span>
            {step} of {of}
          </span>
          <button className="primary" onClick={tour.next}>
            {step < of ? 'Next' : 'Done'}
          </button>
        </>
      )}
    </div>
  );
}
