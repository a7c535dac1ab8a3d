import { isGone } from '../../src/sync/refetch.ts';
import { createHttp, isTransient } from '../../src/connection/http.ts';
import { logIn } from '../../src/connection/session.ts';

function httpOf(answer: () => Response) {
  return createHttp('https://chat.test', 'svc', () => Promise.resolve(answer()));
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const PAGE = '<html><body>default backend</body></html>';

test.each([200, 404, 502])(
  'a page of a proxy with %i is no word of the platform, and passes',
  async (status) => {
    const { send } = httpOf(() => new Response(PAGE, { status, headers: { 'content-type': 'text/html' } }));
    const failure = await failureOf(send({ method: 'GET', path: '/conversations/1' }));
    expect(failure).toMatchObject({ id: 'invalid_answer', status });
    expect([isTransient(failure), isGone(failure)]).toEqual([true, false]);
  },
);

test('a refusal of a proxy, such as of a body that is too large, is for good, and takes nothing away', async () => {
  const { send } = httpOf(() => new Response(PAGE, { status: 413 }));
  const failure = await failureOf(send({ method: 'POST', path: '/conversations/1/messages', body: {} }));
  expect([isTransient(failure), isGone(failure)]).toEqual([false, false]);
});

test('the platform says without a body that there is no such object', async () => {
  const { send } = httpOf(() => new Response(null, { status: 404 }));
  const failure = await failureOf(send({ method: 'GET', path: '/messages/1' }));
  expect(failure).toMatchObject({ id: 'not_found', status: 404 });
  expect([isTransient(failure), isGone(failure)]).toEqual([false, true]);
});

describe('a login whose token', () => {
  const { timeout } = AbortSignal;
  afterEach(() => {
    AbortSignal.timeout = timeout;
  });
  const http = httpOf(() => Response.json({ nonce: 'n' }));

  test('is never given fails, and passes', async () => {
    // The time is over at once.
    AbortSignal.timeout = () => timeout(0);
    const failure = await failureOf(logIn(http, 'app', () => new Promise(() => undefined)));
    expect(failure).toMatchObject({ id: 'login_failed' });
    expect(isTransient(failure)).toBe(true);
  });

  test('function throws at once fails, and passes', async () => {
    const failure = await failureOf(
      logIn(http, 'app', () => {
        throw new Error('not yet');
      }),
    );
    expect(failure).toMatchObject({ id: 'login_failed' });
    expect(isTransient(failure)).toBe(true);
  });
});
