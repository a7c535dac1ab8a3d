import { useAnnouncements, useClient, useConnection, useUnreadCount } from '@parley/react';
import { Avatar, Chat } from '@parley/react-ui';
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { windowOf } from './addresses.ts';
import type { ChatUser } from './chat-user.ts';
import { NotificationSwitch } from './notification-switch.tsx';
import { useMissed } from './use-missed.ts';
import { useOpened } from './use-opened.ts';

type Props = { user: ChatUser; isShown: boolean; isAlone: boolean };

/** The window of one user. */
export function Pane({ user, isShown, isAlone }: Props): ReactElement {
  const { status } = useConnection();
  const [opened, open] = useOpened(user.id);
  useEffect(() => user.notifications.onClick(open), [user, open]);
  return (
    <section
      className="pane"
      aria-label={`${user.name}’s window`}
      data-user={user.id}
      data-shown={isShown || undefined}
      data-status={status}
    >
      <PaneHeader user={user} status={status} isAlone={isAlone} />
      <div className="notices">
        <Missed />
        <News />
      </div>
      <Chat selected={opened} select={open} />
    </section>
  );
}

type HeaderProps = { user: ChatUser; status: string; isAlone: boolean };

function PaneHeader({ user, status, isAlone }: HeaderProps): ReactElement {
  const self = useClient()?.user;
  const { messages } = useUnreadCount();
  return (
    <header className="pane-header">
      <span className="face">{self && <Avatar identities={[self]} size="small" />}</span>
      <h2>{user.name}</h2>
      <span className="status">{status}</span>
      {messages > 0 && (
        <span className="badge">
          {messages} <span className="hidden">unread</span>
        </span>
      )}
      <NotificationSwitch of={user.notifications} />
      {!isAlone && (
        <a href={windowOf(user.id)} target="_blank" title="Own window" aria-label="Own window">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M14 4h6v6M20 4l-9 9M18 14v5H5V6h5" />
          </svg>
        </a>
      )}
    </header>
  );
}

/** Says what came while the user was away. */
function Missed(): ReactElement {
  const [missed, dismiss] = useMissed();
  return (
    <Notice name="missed" isShown={missed > 0} dismiss={dismiss}>
      {missed === 1 ? '1 message' : `${missed} messages`} came while you were away.
    </Notice>
  );
}

/** The newest announcement of the application's backend, until the user has read it. */
function News(): ReactElement {
  const client = useClient();
  const { items } = useAnnouncements();
  const unread = items.find(({ is_unread: isUnread }) => isUnread);
  return (
    <Notice
      name="news"
      isShown={unread !== undefined}
      dismiss={() => unread && void client?.markAnnouncementRead(unread.id)}
    >
      <strong>{unread?.sender?.display_name ?? 'News'}</strong>{' '}
      {unread?.parts.map(({ body }) => body).join(' ')}
    </Notice>
  );
}

type NoticeProps = { name: string; isShown: boolean; dismiss: () => void; children: ReactNode };

function Notice({ name, isShown, dismiss, children }: NoticeProps): ReactElement {
  return (
    <p className={name} role="status">
      {isShown && (
        <>
          <span>{children}</span>
          <button onClick={dismiss}>OK</button>
        </>
      )}
    </p>
  );
}
