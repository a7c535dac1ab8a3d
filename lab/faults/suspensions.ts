import { setTimeout as pause } from 'node:timers/promises';
import { uuidOf, type TestUser } from '../../test/support/app.ts';
import { connectSocket, type TestSocket } from '../../test/support/socket.ts';
import type { Client } from './client.ts';
import type { History } from './history.ts';
import { logIn } from './log-in.ts';
import type { Round } from './round.ts';

type Work = { round: Round; client: Client; history: History };

/** Time after which a suspension holds at every gateway: a second, and the delay that a busy machine adds to the request. */
const HOLDS_AFTER_MS = 3_000;
const WATCHED_MS = 8_000;
const AGAIN_MS = 150;
const PAUSE_MS = 1_000;

/** A user logs in, opens a socket, is suspended, and tries on, by the socket and by REST, until the suspension ends. */
export function suspender(work: Work): () => Promise<void> {
  const { round, client } = work;
  const { addresses } = round;
  let turn = 0;
  let conversation: string | undefined;
  return async () => {
    const user = await logIn(work, 'suspect');
    conversation ??= await createConversation(client, user);
    const address = addresses[turn++ % addresses.length] ?? '';
    const socket = await connectSocket(address, user.token).catch(() => undefined);
    await setSuspended(work, 'SuspendUser');
    try {
      await watch(work, { user, socket, conversation });
    } finally {
      await socket?.close().catch(() => undefined);
      await setSuspended(work, 'ResumeUser');
      await pause(PAUSE_MS);
    }
  };
}

async function createConversation(client: Client, { token }: TestUser): Promise<string> {
  const { body } = await client({
    ...{ method: 'POST', path: '/conversations', authorization: `Svc session-token="${token}"` },
    ...{ body: { participants: ['host'], distinct: false }, expected: [201] },
  });
  return uuidOf(body.id);
}

async function setSuspended({ round, client }: Work, method: 'SuspendUser' | 'ResumeUser'): Promise<void> {
  await client({
    ...{ method: 'POST', path: `/admin/rpc/parley.identity.v1.AdminService/${method}` },
    authorization: `Bearer ${round.app.platform.adminToken}`,
    headers: { accept: 'application/json' },
    body: { app_uuid: round.app.appUuid, user_id: 'suspect' },
    expected: [200],
  });
}

type Suspect = { user: TestUser; socket: TestSocket | undefined; conversation: string };

/** Notes what the user still may. */
async function watch({ round, history }: Work, { user, socket, conversation }: Suspect): Promise<void> {
  const since = performance.now();
  const data = [{ operation: 'set', property: 'metadata.by', value: 'suspect' }];
  const attempts = [
    ['a socket', () => bySocket(socket, conversation, data)] as const,
    ...round.addresses.map((address) => [address, () => byRest(address, user)] as const),
  ];
  while (performance.now() < since + WATCHED_MS) {
    await Promise.all(
      attempts.map(async ([where, attempt]) => {
        const begun = performance.now() - since;
        if ((await attempt()) && begun > HOLDS_AFTER_MS)
          history.faults.push(`a user acted by ${where} ${Math.round(begun)} ms after their suspension`);
      }),
    );
    await pause(AGAIN_MS);
  }
}

async function bySocket(
  socket: TestSocket | undefined,
  conversation: string,
  data: unknown,
): Promise<boolean> {
  if (!socket || socket.closed) return false;
  const answer = await socket
    .request('Conversation.update', { object_id: conversation, data })
    .catch(() => undefined);
  return answer?.success === true;
}

async function byRest(address: string, { token }: TestUser): Promise<boolean> {
  const headers = {
    accept: 'application/vnd.svc+json; version=3.0',
    authorization: `Svc session-token="${token}"`,
  };
  const signal = AbortSignal.timeout(WATCHED_MS);
  const answer = await fetch(`${address}/conversations`, { headers, signal }).catch(() => undefined);
  return answer?.status === 200;
}
