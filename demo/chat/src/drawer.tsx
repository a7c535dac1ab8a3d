import { ParleyProvider, useClient, useConnection } from '@parley/react';
import { useState, useSyncExternalStore, type ReactElement } from 'react';
import { announce, kill } from './backend.ts';
import type { ChatUser } from './chat-user.ts';

type Props = {
  users: readonly ChatUser[];
  /** Id of the user whose window is shown where there is room for one. */
  shown: string | undefined;
  say(text: string): void;
};

/** Shows what happens under the hood: the processes of the platform, the network of each user and the packets that pass. */
export function Drawer({ users, shown, say }: Props): ReactElement {
  return (
    <aside className="drawer" aria-label="Under the hood">
      <PlatformTools sender={users[0]?.id ?? ''} say={say} />
      {users.map((user) => (
        <ParleyProvider key={user.id} client={user.client}>
          <DeviceTools user={user} isShown={user.id === shown} />
        </ParleyProvider>
      ))}
    </aside>
  );
}

function PlatformTools({ sender, say }: { sender: string; say(text: string): void }): ReactElement {
  const [news, setNews] = useState('');
  async function end(process: 'gateway' | 'messaging'): Promise<void> {
    say(`Killing ${process} …`);
    await kill(process).then(
      () => say(`${process} was killed; it is started again. Write on: nothing is lost.`),
      (error: unknown) => say(String(error)),
    );
  }
  return (
    <section className="platform" aria-label="Platform">
      <h2>Platform</h2>
      <div>
        <button className="danger" onClick={() => void end('gateway')}>
          Kill the gateway
        </button>
        <button className="danger" onClick={() => void end('messaging')}>
          Kill messaging
        </button>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setNews('');
          announce(sender, news).catch((error: unknown) => say(String(error)));
        }}
      >
        <input
          required
          aria-label="Announcement"
          placeholder="News for all users"
          value={news}
          onChange={({ target }) => setNews(target.value)}
        />
        <button>Announce</button>
      </form>
    </section>
  );
}

/** The network of a user of this page, and the packets that pass. */
function DeviceTools({ user, isShown }: { user: ChatUser; isShown: boolean }): ReactElement {
  const { status } = useConnection();
  const isOffline = useSyncExternalStore(user.offline.subscribe, user.offline.getSnapshot);
  return (
    <section
      className="device"
      aria-label={`${user.name}’s device`}
      data-shown={isShown || undefined}
      data-status={status}
    >
      <header>
        <h2>{user.name}</h2>
        <span className="status">{status}</span>
        <PresenceChoice />
        <button role="switch" aria-checked={isOffline} onClick={() => user.offline.set(!isOffline)}>
          Offline
        </button>
      </header>
      <Packets user={user} />
    </section>
  );
}

/** Chooses how the user appears to others. */
function PresenceChoice(): ReactElement {
  const client = useClient();
  return (
    <select
      aria-label="Appear as"
      defaultValue="auto"
      onChange={({ target }) =>
        void client
          ?.setPresence(target.value as Parameters<typeof client.setPresence>[0])
          .catch(() => undefined)
      }
    >
      <option value="auto">available</option>
      <option value="away">away</option>
      <option value="busy">busy</option>
      <option value="invisible">invisible</option>
    </select>
  );
}

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The packets of the WebSocket as they pass, the newest first. */
function Packets({ user: { name, packets } }: { user: ChatUser }): ReactElement {
  const shown = useSyncExternalStore(packets.subscribe, packets.getSnapshot);
  return (
    <ol className="packets" aria-label={`Packets of ${name}`} tabIndex={0}>
      {shown.map(({ id, at, isSent, title, json }) => (
        <li key={id}>
          <details>
            <summary>
              <time dateTime={at.toISOString()}>{TIME.format(at)}</time>
              <span className="direction">{isSent ? '↑ sent' : '↓ received'}</span> {title}
            </summary>
            <pre>{json}</pre>
          </details>
        </li>
      ))}
    </ol>
  );
}
