import { useClient, useConnection, useUnreadCount } from '@parley/react';
import { useSyncExternalStore, type ReactElement } from 'react';
import { windowOf } from './addresses.ts';
import type { ChatUser } from './chat-user.ts';
import { useAnnouncements } from './hooks.ts';
import { NotificationSwitch } from './notification-switch.tsx';

type Panel = 'packets' | 'news' | undefined;
type Props = { user: ChatUser; panel: Panel; setPanel(panel: Panel): void; isAlone: boolean };

const STATUSES = {
  online: 'online',
  connecting: 'connecting …',
  offline: 'offline',
  stopped: 'stopped',
};

export function PaneHeader({ user, panel, setPanel, isAlone }: Props): ReactElement {
  const { status } = useConnection();
  const { messages } = useUnreadCount();
  const { items } = useAnnouncements();
  const isOffline = useSyncExternalStore(user.offline.subscribe, user.offline.getSnapshot);
  const news = items.filter(({ is_unread }) => is_unread).length;
  const toggle = (name: Panel) => setPanel(panel === name ? undefined : name);
  return (
    <header className="pane-header">
      <h2>
        {user.name}
        {messages > 0 && <Badge count={messages} what="unread" />}
      </h2>
      <span className="status">{STATUSES[status]}</span>
      <PresenceChoice />
      <button role="switch" aria-checked={isOffline} onClick={() => user.offline.set(!isOffline)}>
        Offline
      </button>
      <button aria-expanded={panel === 'news'} onClick={() => toggle('news')}>
        News
        {news > 0 && <Badge count={news} what="new" />}
      </button>
      <button aria-expanded={panel === 'packets'} onClick={() => toggle('packets')}>
        Packets
      </button>
      <NotificationSwitch of={user.notifications} />
      {!isAlone && (
        <a href={windowOf(user.id)} target="_blank">
          Own window
        </a>
      )}
    </header>
  );
}

export function Badge({ count, what }: { count: number; what: string }): ReactElement {
  return (
    <span className="badge">
      {count} <span className="hidden">{what}</span>
    </span>
  );
}

/** What the user appears as to others. */
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
