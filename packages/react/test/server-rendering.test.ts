import { Writable } from 'node:stream';
import { createElement as e, Suspense, type ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import {
  ParleyProvider,
  useClient,
  useConnection,
  useConversation,
  useConversations,
  useMessages,
  usePresence,
  useSuspenseMessages,
  useTyping,
  useUnreadCount,
  useUpload,
} from '../src/index.ts';

function Chat(): ReactElement {
  const shown = {
    conversations: useConversations(),
    conversation: useConversation('svc:///conversations/1') ?? null,
    messages: useMessages('svc:///conversations/1'),
    typing: useTyping('svc:///conversations/1').typists,
    presence: usePresence(['grace']),
    unread: useUnreadCount(),
    upload: useUpload().state ?? null,
    connection: useConnection(),
    client: useClient(),
  };
  return e('code', { dangerouslySetInnerHTML: { __html: JSON.stringify(shown) } });
}

test('a server renders that nothing is known yet', () => {
  const html = renderToString(e(ParleyProvider, { client: null }, e(Chat)));
  const list = { items: [], status: 'loading', hasOlder: false };
  expect(JSON.parse(html.replace(/<\/?code>/g, ''))).toEqual({
    ...{ conversations: list, conversation: null, messages: list, typing: [], presence: {} },
    ...{
      unread: { messages: 0, conversations: 0 },
      upload: null,
      connection: { status: 'connecting' },
      client: null,
    },
  });
});

function History(): ReactElement {
  return e('p', null, useSuspenseMessages('svc:///conversations/1').items.length);
}

test('a component that waits is left to the browser, and the server sends its fallback', async () => {
  const page = e(ParleyProvider, { client: null }, e(Suspense, { fallback: 'waiting' }, e(History)));
  const html = await new Promise<string>((resolve, reject) => {
    let sent = '';
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        sent += chunk.toString();
        done();
      },
    });
    sink.on('finish', () => resolve(sent));
    const { pipe } = renderToPipeableStream(page, {
      onAllReady: () => pipe(sink),
      onShellError: reject,
      onError: () => undefined,
    });
  });
  expect(html).toContain('waiting');
});

test('a hook without a provider says what is missing', () => {
  expect(() => renderToString(e(Chat))).toThrow('There is no ParleyProvider above this component.');
});
