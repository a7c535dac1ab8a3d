import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { textPart, type TestUser } from '../../test/support/app.ts';
import type { Client } from './client.ts';
import type { History } from './history.ts';
import type { Round } from './round.ts';
import type { Silent } from './silent.ts';

/** Is in the ids of the users of silent conversations, and so in the statements about them. */
export const SILENT = 'silent';

const MOST = 200;
const PAUSE_MS = 700;
const ACTS: readonly Silent['act'][] = ['none', 'read', 'none', 'allRead', 'none', 'hide'];

type Work = { round: Round; client: Client; history: History };

/**
 * Creates a conversation, sends one message, reads or hides it, and leaves the conversation alone: what is not told of it then, no later
 * change makes known.
 */
export function silencer({ round, client, history }: Work): () => Promise<void> {
  const [writer, reader] = round.silent.users;
  let turn = 0;
  return async () => {
    await pause(PAUSE_MS);
    if (!writer || !reader || turn >= MOST) return;
    const act = ACTS[turn++ % ACTS.length] ?? 'none';
    const conversation = await create(client, writer, reader);
    const sent = await send(client, writer, conversation);
    await perform(client, reader, act, { conversation, ...sent });
    history.silent?.push({ conversation, ...sent, sender: writer.id, reader: reader.id, act });
  };
}

function session({ token }: TestUser): string {
  return `Svc session-token="${token}"`;
}

async function create(client: Client, writer: TestUser, reader: TestUser): Promise<string> {
  const id = randomUUID();
  await client({
    ...{ method: 'POST', path: '/conversations', authorization: session(writer), expected: [201, 409] },
    body: { id, participants: [reader.id], distinct: false },
  });
  return id;
}

async function send(client: Client, writer: TestUser, conversation: string) {
  const message = randomUUID();
  const { status, body } = await client({
    ...{ method: 'POST', path: `/conversations/${conversation}/messages`, authorization: session(writer) },
    ...{ body: { id: message, parts: [textPart('and then nothing')] }, expected: [201, 409] },
  });
  const position: number = status === 409 ? body.data.position : body.position;
  return { message, position };
}

async function perform(
  client: Client,
  reader: TestUser,
  act: Silent['act'],
  { message: id, conversation, position }: Pick<Silent, 'message' | 'conversation' | 'position'>,
) {
  const ask = (method: string, path: string, body?: unknown) =>
    client({
      ...{ method, path, authorization: session(reader), expected: [200, 202, 204, 404] },
      ...(body !== undefined && { body }),
    });
  if (act === 'read') await ask('POST', `/messages/${id}/receipts`, { type: 'read' });
  if (act === 'allRead') await ask('POST', `/conversations/${conversation}/mark_all_read`, { position });
  if (act === 'hide') await ask('DELETE', `/messages/${id}?mode=my_devices`);
}
