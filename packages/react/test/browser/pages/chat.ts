import { createClient, type Client } from '@parley/client';
import { indexedDbStorage, tabs } from '@parley/client/indexeddb';
import { createElement as e, Suspense, useState, version, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import {
  ParleyProvider,
  useAnnouncements,
  useConnection,
  useConversation,
  useConversations,
  useMessages,
  usePresence,
  useSendMessage,
  useSuspenseConversations,
  useSuspenseMessages,
  useTyping,
  useUnreadCount,
  useUpload,
} from '../../../src/index.ts';

declare global {
  interface Window {
    /** The test signs identity tokens. */
    identityToken(userId: string, nonce: string): Promise<string>;
  }
}

export type Login = { url: string; appId: string; userId: string };

let client: Client;
let renderings = 0;

export const reactVersion = version;

/** Shows the chat of a user. */
export function start({ url, appId, userId }: Login): void {
  client = createClient({
    ...{ url, appId, userId, storage: indexedDbStorage(), coordinator: tabs() },
    identityToken: (nonce) => window.identityToken(userId, nonce),
  });
  const root = document.body.appendChild(document.createElement('main'));
  createRoot(root).render(e(ParleyProvider, { client }, e(Chat)));
}

export function createConversation(participants: string[]): Promise<string> {
  return client.createConversation({ participants }).then(({ id }) => id);
}

export function setOnline(isOnline: boolean): void {
  if (isOnline) client.connect();
  else client.disconnect();
}

/** How often the list was rendered; a message of another conversation is no reason. */
export function historyRenderings(): number {
  return renderings;
}

function Chat(): ReactElement {
  const { status } = useConnection();
  const { messages } = useUnreadCount();
  const { items } = useConversations();
  const announcements = useAnnouncements({ pageSize: 10 });
  const [opened, open] = useState<string>();
  return e(
    'div',
    { 'data-status': status },
    e('output', { id: 'unread' }, messages),
    e('output', { id: 'announced' }, announcements.items.map(({ parts }) => parts[0]?.body).join()),
    e(
      'ul',
      { id: 'conversations' },
      ...items.map(({ id, lastMessage }) =>
        e('li', { key: id }, e('button', { onClick: () => open(id) }, lastMessage?.text ?? 'empty')),
      ),
    ),
    e(Suspense, { fallback: e('p', null, 'waiting') }, e(Count)),
    opened && e(Opened, { key: opened, id: opened }),
  );
}

function Count(): ReactElement {
  const { items } = useSuspenseConversations({ where: isKnown });
  return e('output', { id: 'count' }, items.length);
}

function isKnown(): boolean {
  return true;
}

function Opened({ id }: { id: string }): ReactElement {
  const conversation = useConversation(id);
  const send = useSendMessage(id);
  const { typists, setTyping } = useTyping(id);
  const others = conversation?.others.map(({ user_id }) => user_id) ?? [];
  const presence = usePresence(others);
  const { start: upload, state } = useUpload();
  return e(
    'section',
    null,
    e('output', { id: 'presence' }, others.map((user) => `${user} ${presence[user]?.status ?? '?'}`).join()),
    e('output', { id: 'typing' }, typists.map(({ user_id }) => user_id).join()),
    e('output', { id: 'upload' }, state && `${state.status} ${state.sent}/${state.size}`),
    e(Suspense, { fallback: e('p', null, 'waiting') }, e(History, { id })),
    e('output', { id: 'newest' }, useMessages(id, { pageSize: 1 }).items.at(-1)?.text),
    e('button', { id: 'read', onClick: () => void conversation?.markRead() }, 'read'),
    e(
      'button',
      { id: 'upload-file', onClick: () => upload(new Blob(['bytes'], { type: 'text/plain' })) },
      'upload',
    ),
    e('input', {
      onInput: () => setTyping(true),
      onKeyDown({ key, currentTarget }: { key: string; currentTarget: HTMLInputElement }) {
        if (key === 'Enter') void send(currentTarget.value);
      },
    }),
  );
}

function History({ id }: { id: string }): ReactElement {
  const { items, hasOlder, loadOlder } = useSuspenseMessages(id, { pageSize: 2 });
  renderings++;
  return e(
    'div',
    null,
    hasOlder && e('button', { id: 'older', onClick: () => void loadOlder() }, 'older'),
    e(
      'ol',
      { id: 'messages' },
      ...items.map((message) => e('li', { key: message.id, 'data-state': message.state }, message.text)),
    ),
  );
}
