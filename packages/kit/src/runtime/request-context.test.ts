import { currentContext, detach, runInContext } from './request-context.ts';

test('the context follows the work of its request, and no other', async () => {
  const seen = await Promise.all(
    ['a', 'b'].map((requestId) =>
      runInContext({ requestId }, async () => {
        await new Promise(setImmediate);
        return currentContext()?.requestId;
      }),
    ),
  );
  expect(seen).toEqual(['a', 'b']);
  expect(currentContext()).toBeUndefined();
});

test('detached work runs outside the request that started it', () => {
  const runDetached = detach();
  const seen = runInContext({ requestId: 'a' }, () => runDetached(() => currentContext()));
  expect(seen).toBeUndefined();
});

test('work that a request detaches runs outside that request', () => {
  const seen = runInContext({ requestId: 'a' }, () => detach()(() => currentContext()));
  expect(seen).toBeUndefined();
});
