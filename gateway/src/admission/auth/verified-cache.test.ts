import type { Revocations } from './revocations.ts';
import type { RevokedNow } from './revoked.ts';
import { createVerifiedCache } from './verified-cache.ts';

type Value = { id: string };

function start() {
  const state = { fresh: true, mark: 1 as number | undefined, looks: 0 };
  let notify: (revoked: RevokedNow) => void = () => undefined;
  const revocations: Revocations = {
    isFresh: () => state.fresh,
    blindMs: () => 0,
    mark: () => state.mark,
    onRevoked: (listener) => ((notify = listener), () => undefined),
    learn: () => Promise.resolve(),
    stop: () => undefined,
  };
  const cache = createVerifiedCache<Value>({
    max: 10,
    revocations,
    concerns: ({ id }, revoked) => revoked === 'all' || revoked.some(({ subject }) => subject.value === id),
  });
  const get = () => cache.get('key', () => Promise.resolve({ id: `look ${++state.looks}` }));
  function revoke(revoked: RevokedNow): void {
    state.mark = (state.mark ?? 0) + 1;
    notify(revoked);
  }
  return { state, cache, get, revoke };
}

const revocationOf = (id: string) =>
  [{ $typeName: 'parley.identity.v1.Revocation', subject: { case: 'sessionId', value: id } }] as const;

test('a value is looked up once, until it is revoked', async () => {
  const { get, revoke } = start();
  expect([await get(), await get()]).toEqual([{ id: 'look 1' }, { id: 'look 1' }]);
  revoke(revocationOf('another'));
  expect(await get()).toEqual({ id: 'look 1' });
  revoke(revocationOf('look 1'));
  expect(await get()).toEqual({ id: 'look 2' });
  revoke('all');
  expect(await get()).toEqual({ id: 'look 3' });
});

test('while revocations are not known, every use is a look-up', async () => {
  const { state, get } = start();
  await get();
  state.fresh = false;
  expect([await get(), await get()]).toEqual([{ id: 'look 2' }, { id: 'look 3' }]);
});

test('a look-up that was begun before a revocation is done again', async () => {
  const { cache, revoke } = start();
  let looks = 0;
  const value = await cache.get('key', async () => {
    looks += 1;
    if (looks === 1) revoke(revocationOf('another'));
    return { id: `look ${looks}` };
  });
  expect(value).toEqual({ id: 'look 2' });
});

test('a value that is looked up before revocations are known is not cached', async () => {
  const { state, get } = start();
  state.mark = undefined;
  expect([await get(), await get()]).toEqual([{ id: 'look 1' }, { id: 'look 2' }]);
});

test('a value stays cached while revocations are not known, until it is revoked', async () => {
  const { state, cache, get, revoke } = start();
  expect(cache.has('key')).toBe(false);
  await get();
  state.fresh = false;
  expect(cache.has('key')).toBe(true);
  revoke('all');
  expect(cache.has('key')).toBe(false);
});

test('a failure is not cached', async () => {
  const { cache, get } = start();
  await expect(cache.get('key', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await get()).toEqual({ id: 'look 1' });
});
