import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '@parley/testing/doubles/receiver';
import { uuidOf } from '../../test/support/app.ts';
import { SECRET, WEBHOOKS_TYPE } from '../../test/support/webhooks.ts';
import type { Client } from './client.ts';
import type { Round } from './round.ts';

type Work = { round: Round; client: Client };

/** Each gets every message from then on. */
const MOST = 4;
const PAUSE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Registers a webhook every now and then, and notes when it became active. */
export function activator(work: Work): () => Promise<void> {
  const { round } = work;
  let count = 0;
  return async () => {
    if (count++ < MOST) {
      const receiver = await startReceiver();
      round.activated.push({ since: Infinity, receiver });
      await activate(work, receiver.url);
      round.activated.splice(-1, 1, { since: Date.now(), receiver });
    }
    await pause(PAUSE_MS);
  };
}

/** Resolves when the webhook is active: an activation that met a fault is repeated. */
async function activate({ round, client }: Work, target_url: string): Promise<void> {
  const webhooks = (method: string, path: string, status: number, body?: unknown) =>
    client({
      ...{ method, path: `/apps/${round.app.appUuid}/webhooks${path}`, expected: [status] },
      authorization: `Bearer ${round.app.accessToken}`,
      headers: { accept: WEBHOOKS_TYPE, 'idempotency-key': randomUUID() },
      ...(body !== undefined && { body }),
    });
  const fields = { version: '3.0', events: ['Message.created'], secret: SECRET };
  const { body: created } = await webhooks('POST', '', 201, { ...fields, target_url });
  const id = uuidOf(created.id);
  for (;;) {
    const { body } = await webhooks('GET', `/${id}`, 200);
    if (body.status === 'active') return;
    if (body.status === 'inactive') await webhooks('POST', `/${id}/activate`, 200);
    await pause(LOOK_EVERY_MS);
  }
}
