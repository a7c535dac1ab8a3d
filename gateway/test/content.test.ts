import { createRouterTransport } from '@connectrpc/connect';
import { newId } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import { ContentService } from '@parley/proto/parley/content/v1/content_service_pb';
import { MessagingService } from '@parley/proto/parley/messaging/v1/messaging_service_pb';
import { call } from './support/call.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { APP_ID, knownTokens, SESSION_TOKEN } from './support/identity.ts';

// docs/protocol/uploads.md#refresh-a-download-address

const MOST = 100;
const contentId = newId();
const references = Array.from({ length: MOST }, () => ({ conversationId: newId(), messageId: newId() }));
const authorization = `Svc session-token="${SESSION_TOKEN}"`;

/** Calls of messaging, by their names. */
let calls: string[] = [];
let shown = true;
/** Number of messages that refer to the content. */
let count = MOST;
let gateway: TestGateway;

const contentTransport = createRouterTransport(({ service }) => {
  service(ContentService, {
    getContents: ({ ids: [id = ''] }) => ({
      items: [
        {
          ...{
            content: { appId: APP_ID, id, size: 5, userId: 'somebody else' },
            downloadUrl: 'http://a.test',
          },
          ...{ expiresAt: Date.now(), references: references.slice(0, count) },
        },
      ],
    }),
  });
});

/** Messaging of this release, or the one before, which has one call less. */
function messagingOf(release: 'this' | 'before') {
  return createRouterTransport(({ service }) => {
    service(MessagingService, {
      ...(release === 'this' && {
        isContentShown: ({ messageIds }) => {
          calls.push(`isContentShown of ${messageIds.length}`);
          return { shown };
        },
      }),
      getMessage: ({ id }) => {
        calls.push('getMessage');
        if (!shown) failNotFound('message', id);
        return { message: { id, parts: [{ id, content: { id: contentId } }] } };
      },
    });
  });
}

async function start(release: 'this' | 'before'): Promise<void> {
  const messagingTransport = messagingOf(release);
  gateway = await startGateway({ identityTransport: knownTokens(), messagingTransport, contentTransport });
}

async function refresh(query = ''): Promise<{ status: number; body: { download_url?: string } }> {
  calls = [];
  const url = `${gateway.baseUrl}/content/${contentId}${query}`;
  const { status, json } = await call('GET', url, { headers: { authorization } });
  return { status, body: json };
}

afterEach(() => gateway.stop());

test.each([0, 1, 99, MOST])('messaging is asked at most once about %d messages', async (references) => {
  await start('this');
  count = references;
  const question = count === 0 ? [] : [`isContentShown of ${count}`];
  for (shown of [true, false]) {
    expect((await refresh()).status).toBe(shown && count > 0 ? 200 : 404);
    expect(calls).toEqual(question);
  }
});

test('messaging of the release before is asked for the messages', async () => {
  await start('before');
  count = 3;
  shown = true;
  expect((await refresh()).status).toBe(200);
  expect(calls).toEqual(['getMessage']);
  shown = false;
  expect((await refresh()).status).toBe(404);
  expect(calls).toEqual(['getMessage', 'getMessage', 'getMessage']);
});

test('a new address has the name that is asked for, if it is one', async () => {
  await start('this');
  shown = true;
  count = 1;
  const { body } = await refresh('?filename=B%C3%BCro.txt');
  expect(URL.parse(body.download_url ?? '')?.searchParams.get('filename')).toBe('Büro.txt');
  expect((await refresh()).body.download_url).toBe('http://a.test');
  for (const bad of ['', 'a%2Fb', '%E2%80%AEb', 'a'.repeat(256)])
    expect((await refresh(`?filename=${bad}`)).status).toBe(422);
});
