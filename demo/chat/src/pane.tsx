import { useConnection, useConversation, useConversations } from '@parley/react';
import { useEffect, useState, type ReactElement } from 'react';
import { openedAt } from './addresses.ts';
import { Announcements } from './announcements.tsx';
import type { ChatUser } from './chat-user.ts';
import { ConversationList } from './conversation-list.tsx';
import { ConversationView } from './conversation-view.tsx';
import { useMissed } from './hooks.ts';
import { PacketDrawer } from './packet-drawer.tsx';
import { PaneHeader } from './pane-header.tsx';

type Props = { user: ChatUser; isShown: boolean; isAlone: boolean };

/** What one user sees. */
export function Pane({ user, isShown, isAlone }: Props): ReactElement {
  const { items } = useConversations();
  const { status } = useConnection();
  const [opened, open] = useState(() => openedAt(location.href));
  const [isClosed, close] = useState(false);
  const [panel, setPanel] = useState<'packets' | 'news'>();
  const [missed, dismiss] = useMissed();
  const shown = useConversation(opened) ?? items[0];
  // The first one stays when another one becomes the first.
  if (shown && opened === undefined) open(shown.id);
  function show(id: string): void {
    open(id);
    close(false);
  }
  useEffect(() => user.notifications.onClick(show), [user]);
  return (
    <section className="pane" aria-label={user.name} data-shown={isShown || undefined} data-status={status}>
      <PaneHeader user={user} panel={panel} setPanel={setPanel} isAlone={isAlone} />
      {missed && (
        <p className="missed" role="status">
          {missed.count === 1 ? '1 message' : `${missed.count} messages`} came while you were away.
          <button onClick={dismiss}>OK</button>
        </p>
      )}
      <div className="columns" data-opened={(shown && !isClosed) || undefined}>
        <ConversationList owner={user.name} opened={shown?.id} open={show} />
        {shown && (
          <ConversationView
            key={shown.id}
            user={user}
            conversation={shown}
            missed={missed}
            close={() => close(true)}
          />
        )}
      </div>
      {panel === 'news' && <Announcements user={user} />}
      {panel === 'packets' && <PacketDrawer user={user} />}
    </section>
  );
}
