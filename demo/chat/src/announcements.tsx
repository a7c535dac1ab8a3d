import { useClient } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { announce } from './backend.ts';
import type { ChatUser } from './chat-user.ts';
import { useAnnouncements } from './hooks.ts';
import { nameOf, timeOf } from './text.ts';

/** Messages of the application's backend to many users, outside of conversations. */
export function Announcements({ user }: { user: ChatUser }): ReactElement {
  const client = useClient();
  const { items } = useAnnouncements();
  const [text, setText] = useState('');
  useEffect(() => {
    for (const { id, is_unread } of items) if (is_unread) void client?.markAnnouncementRead(id);
  }, [client, items]);
  return (
    <aside className="drawer" aria-label={`Announcements to ${user.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setText('');
          void announce(user.id, text);
        }}
      >
        <input
          required
          aria-label="Announcement"
          placeholder="Announce to all users"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button>Announce</button>
      </form>
      {items.length === 0 && <p className="empty">No announcements yet.</p>}
      <ul>
        {items.map(({ id, sender, sent_at, parts }) => (
          <li key={id}>
            <strong>{nameOf(sender)}</strong> <time dateTime={sent_at}>{timeOf(sent_at)}</time>
            <p>{parts.map(({ body }) => body).join(' ')}</p>
            <button onClick={() => void client?.deleteAnnouncement(id)}>Delete</button>
          </li>
        ))}
      </ul>
    </aside>
  );
}
