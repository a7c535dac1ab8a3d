import { createRouterTransport } from '@connectrpc/connect';
import { createTestClock } from '@parley/kit/runtime/clock';
import { ChangeLogService } from '@parley/proto/parley/changelog/v1/change_log_service_pb';
import { until } from '@parley/testing';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { knownTokens, SESSION_TOKEN } from './support/identity.ts';
import { upgrade } from './support/sockets.ts';

let gateway: TestGateway;
const clock = createTestClock(Date.now());
/** What messaging and identity say of their epochs, the epochs that revocations were asked for in, and how often. */
const state = { messaging: 'm1', identity: 'i1', asked: 0, cursors: [] as string[] };

beforeAll(async () => {
  const messagingTransport = createRouterTransport(({ service }) => {
    service(ChangeLogService, { getEpoch: () => (state.asked++, { epoch: state.messaging }) });
  });
  const identityTransport = knownTokens(
    ({ service }) => service(ChangeLogService, { getEpoch: () => ({ epoch: state.identity }) }),
    {
      listRevocations: ({ cursor, epoch }) => {
        state.cursors.push(`${cursor}/${epoch}`);
        return { cursor: 7, epoch: state.identity };
      },
    },
  );
  gateway = await startGateway({ identityTransport, messagingTransport, clock });
});
afterAll(() => gateway.stop());

/** Lets two seconds pass now and then, not so fast that the socket is taken for dead. */
async function passing(what: string, isSo: () => boolean): Promise<void> {
  let polls = 0;
  const poll = () => {
    if (polls++ % 100 === 0) clock.advance(2_000);
    return isSo() || undefined;
  };
  await until(poll, { withinMs: 30_000, what });
}

async function untilAsked(): Promise<void> {
  const before = state.asked;
  await passing('messaging is asked for its epoch', () => state.asked > before);
}

test.each(['messaging', 'identity'] as const)(
  'another epoch of %s ends the sockets with the reason to start anew',
  async (name) => {
    await untilAsked();
    const { socket, status } = await upgrade(gateway.baseUrl, SESSION_TOKEN);
    expect(status).toBe(101);
    await untilAsked();
    expect(socket.readyState).toBe(socket.OPEN);
    let end: [number, string] | undefined;
    socket.once('close', (code: number, reason: Buffer) => (end = [code, reason.toString()]));
    state[name] += '+';
    await passing('the socket ends', () => end !== undefined);
    expect(end).toEqual([1012, 'start_anew']);
  },
);

test('the cursor of revocations goes with the epoch that gave it', async () => {
  await until(() => (clock.advance(500), state.cursors.at(-1) === `7/${state.identity}` || undefined), {
    withinMs: 20_000,
    what: 'revocations are asked for with the present epoch',
  });
  expect(state.cursors[0]).toBe('0/');
});
