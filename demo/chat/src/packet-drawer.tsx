import { useSyncExternalStore, type ReactElement } from 'react';
import type { ChatUser } from './chat-user.ts';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** The packets of the WebSocket as they pass, the newest first. */
export function PacketDrawer({ user: { name, packets } }: { user: ChatUser }): ReactElement {
  const shown = useSyncExternalStore(packets.subscribe, packets.getSnapshot);
  return (
    <aside className="drawer packets" aria-label={`Packets of ${name}`} tabIndex={0}>
      {shown.length === 0 && <p className="empty">No packet has passed yet.</p>}
      <ol>
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
    </aside>
  );
}
