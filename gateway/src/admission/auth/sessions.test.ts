import { problem, failWith } from '@parley/domain/problems';
import { createTestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { until } from '@parley/testing';
import type { Revocations } from './revocations.ts';
import type { RevokedNow } from './revoked.ts';
import { createSessions } from './sessions.ts';
import type { SessionCaller } from './watch.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const NOW = 1_000_000;

const callerOf = (sessionId: string, userId = 'alice', expiresAt = 0): SessionCaller => ({
  ...{ appId: 'app', userId, sessionId, expiresAt },
  tokenHash: Buffer.from(sessionId),
});

/** A socket half that keeps callers; `dead` are the sessions that identity does not know any more. */
function start(kept: SessionCaller[], dead: string[] = []) {
  const clock = createTestClock(NOW);
  const state = {
    down: false,
    stale: false,
    blindMs: 0,
    learn: () => Promise.resolve(),
    answered: Promise.resolve(),
    ended: new Set<string>(),
    revoke: (_: RevokedNow): void => undefined,
  };
  const revocations: Revocations = {
    isFresh: () => !state.stale,
    blindMs: () => state.blindMs,
    mark: () => 1,
    onRevoked: (listener) => ((state.revoke = listener), () => undefined),
    learn: () => state.learn(),
    stop: () => undefined,
  };
  const sessions = createSessions({
    ...{ revocations, clock, log },
    tokens: {
      lookUp: async (_, tokenHash) => {
        await state.answered;
        if (state.down) throw new Error('down');
        if (dead.includes(Buffer.from(tokenHash).toString())) failWith(problem('authentication_required'));
        throw new Error('unused');
      },
    },
  });
  sessions.onRevoked((isRevoked) => {
    for (const caller of kept) if (isRevoked(caller)) state.ended.add(caller.sessionId);
  });
  return { sessions, state, clock };
}

const named = (id: string) =>
  [{ $typeName: 'parley.identity.v1.Revocation', subject: { case: 'sessionId', value: id } }] as const;

test('a session that a revocation names ends at once, and no other does', () => {
  const { state, sessions } = start([callerOf('s1'), callerOf('s2')]);
  state.revoke(named('s1'));
  expect([...state.ended]).toEqual(['s1']);
  sessions.stop();
});

test('sessions end within a second after they expire', () => {
  const { state, clock, sessions } = start([callerOf('short', 'alice', NOW + 4_100), callerOf('long')]);
  clock.advance(4_099);
  expect(state.ended.size).toBe(0);
  clock.advance(901);
  expect([...state.ended]).toEqual(['short']);
  sessions.stop();
});

test('after a gap every session is looked up, again and again until identity answers', async () => {
  const { state, clock, sessions } = start([callerOf('s1')], ['s1']);
  state.down = true;
  state.revoke('all');
  await new Promise((resolve) => setImmediate(resolve));
  expect(state.ended.size).toBe(0);
  state.down = false;
  clock.advance(1_000);
  await until(() => state.ended.has('s1') || undefined, { withinMs: 10_000, what: 'the session ends' });
  sessions.stop();
});

test('a session that ends before its socket listens is remembered', () => {
  const { state, clock, sessions } = start([]);
  const caller = callerOf('s1');
  sessions.watch(caller);
  clock.advance(5_000);
  expect(sessions.hasEnded(caller)).toBe(false);
  state.revoke(named('s1'));
  expect(sessions.hasEnded(caller)).toBe(true);
  sessions.stop();
});

test('sessions may act at once while revocations are fresh', () => {
  const { sessions } = start([]);
  expect(sessions.confirm()).toBeUndefined();
  sessions.stop();
});

test('otherwise they wait until what was revoked is known and applied, in the order in which they asked', async () => {
  const { state, sessions } = start([callerOf('s1'), callerOf('s2')]);
  state.stale = true;
  state.learn = async () => {
    await Promise.resolve();
    state.revoke(named('s2'));
    state.stale = false;
  };
  const order: string[] = [];
  const first = sessions.confirm()?.then(() => order.push('first'));
  const second = sessions.confirm()?.then(() => order.push(`second, without ${[...state.ended].join()}`));
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second, without s2']);
  expect(sessions.confirm()).toBeUndefined();
  sessions.stop();
});

test('they also wait for what is still being looked up because of an earlier revocation', async () => {
  const { state, sessions } = start([callerOf('s1')], ['s1']);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.answered = promise;
  state.revoke('all');
  state.revoke(named('s2'));
  state.stale = true;
  state.learn = () => ((state.stale = false), Promise.resolve());
  const order: string[] = [];
  const confirmed = sessions
    .confirm()
    ?.then(() => order.push(`confirmed, without ${[...state.ended].join()}`));
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  resolve();
  await confirmed;
  expect(order).toEqual(['confirmed, without s1']);
  sessions.stop();
});

test('they may not act when identity does not say what was revoked', async () => {
  const { state, sessions } = start([]);
  state.stale = true;
  await expect(sessions.confirm()).rejects.toMatchObject({
    message: expect.stringContaining('unavailable') as string,
  });
  sessions.stop();
});

test('after 30 s in which nothing was heard of revocations all sockets hear of it', () => {
  const { state, clock, sessions } = start([]);
  let called = 0;
  const forget = sessions.onBlind(() => called++);
  state.blindMs = 30_000;
  clock.advance(500);
  expect(called).toBe(0);
  state.blindMs = 30_500;
  clock.advance(500);
  expect(called).toBe(1);
  forget();
  clock.advance(500);
  expect(called).toBe(1);
  sessions.stop();
});
