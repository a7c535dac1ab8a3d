import { ParleyProvider } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { kill } from './backend.ts';
import type { ChatUser } from './chat-user.ts';
import { Pane } from './pane.tsx';
import { useTour } from './use-tour.ts';

/** One pane for each user, each with a client of its own. */
export function App({ users }: { users: readonly ChatUser[] }): ReactElement {
  const [shown, show] = useState(users[0]?.id);
  const [said, say] = useState('');
  const tour = useTour(users, say);
  useEffect(() => {
    const ends = users.map((user) => user.notifications.onClick(() => show(user.id)));
    return () => ends.forEach((end) => end());
  }, [users]);
  async function end(process: 'gateway' | 'messaging'): Promise<void> {
    say(`Killing ${process} …`);
    await kill(process).then(
      () => say(`${process} was killed; it is started again. Write on: nothing is lost.`),
      (error: unknown) => say(String(error)),
    );
  }
  return (
    <>
      <header className="top">
        <h1>Parley</h1>
        <p role="status">{said}</p>
        {tour && (
          <button disabled={tour.isRunning} onClick={tour.start}>
            Show me
          </button>
        )}
        <button className="danger" onClick={() => void end('gateway')}>
          Kill the gateway
        </button>
        <button className="danger" onClick={() => void end('messaging')}>
          Kill messaging
        </button>
      </header>
      {users.length > 1 && (
        <nav className="users" aria-label="Users">
          {users.map(({ id, name }) => (
            <button key={id} aria-pressed={id === shown} onClick={() => show(id)}>
              {name}
            </button>
          ))}
        </nav>
      )}
      <main>
        {users.map((user) => (
          <ParleyProvider key={user.id} client={user.client}>
            <Pane user={user} isShown={user.id === shown} isAlone={users.length === 1} />
          </ParleyProvider>
        ))}
      </main>
    </>
  );
}
