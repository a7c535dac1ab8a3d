import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { createTestClock } from '@parley/kit/runtime/clock';
import { createLogger } from '@parley/kit/runtime/telemetry/log';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { startRevocations } from './revocations.ts';
import type { RevokedNow } from './revoked.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const session = (id: string) => ({ subject: { case: 'sessionId' as const, value: id } });

function start() {
  const clock = createTestClock(1_000_000);
  const state = {
    down: false,
    forgetAll: false,
    revoked: [] as ReturnType<typeof session>[],
    cursors: [] as number[],
  };
  const transport = createRouterTransport(({ service }) => {
    service(IdentityService, {
      listRevocations: ({ cursor }) => {
        if (state.down) throw new ConnectError('down', Code.Unavailable);
        state.cursors.push(cursor);
        const { forgetAll } = state;
        return { cursor: cursor + 1, forgetAll, revocations: state.revoked.splice(0) };
      },
    });
  });
  const revocations = startRevocations({ identity: createClient(IdentityService, transport), clock, log });
  const notified: RevokedNow[] = [];
  revocations.onRevoked((revoked) => notified.push(revoked));
  return { clock, state, revocations, notified };
}

test('cached values may not be used before the first answer, nor a second after the last one', async () => {
  const { clock, state, revocations } = start();
  expect([revocations.isFresh(), revocations.mark()]).toEqual([false, undefined]);
  await revocations.learn();
  expect(revocations.isFresh()).toBe(true);
  state.down = true;
  clock.advance(999);
  expect(revocations.isFresh()).toBe(true);
  clock.advance(1);
  expect(revocations.isFresh()).toBe(false);
  state.down = false;
  await revocations.learn();
  expect(revocations.isFresh()).toBe(true);
  revocations.stop();
});

test('every half second a poll continues at the cursor of the last answer', async () => {
  const { clock, state, revocations } = start();
  await revocations.learn();
  expect(state.cursors).toEqual([0, 1]);
  clock.advance(499);
  clock.advance(1);
  await revocations.learn();
  expect(state.cursors).toEqual([0, 1, 2, 3]);
  revocations.stop();
});

test('a clock that is set back by an hour stops no poll, and makes nothing fresh for longer', async () => {
  const { clock, state, revocations } = start();
  await revocations.learn();
  clock.set(clock.now() - 3_600_000);
  clock.advance(500);
  await revocations.learn();
  expect(state.cursors).toEqual([0, 1, 2, 3]);
  clock.set(clock.now() + 7_200_000);
  expect(revocations.isFresh()).toBe(true);
  state.down = true;
  clock.advance(1_000);
  expect(revocations.isFresh()).toBe(false);
  revocations.stop();
});

test('a revocation notifies the listeners, and changes the mark', async () => {
  const { state, revocations, notified } = start();
  await revocations.learn();
  const before = revocations.mark();
  state.revoked.push(session('s1'));
  await revocations.learn();
  expect(notified).toMatchObject([[session('s1')]]);
  expect(revocations.mark()).not.toBe(before);
  revocations.stop();
});

test('an incomplete answer means that anything may have been revoked', async () => {
  const { state, revocations, notified } = start();
  await revocations.learn();
  state.forgetAll = true;
  await revocations.learn();
  expect(notified).toEqual(['all']);
  revocations.stop();
});
