import { createApp, textPart, uuidOf, type Platform } from '../../test/support/app.ts';
import { makeKeyPair } from '../../test/support/archive.ts';
import type { Client } from '../faults/client.ts';
import { exportMessages } from '../faults/observe.ts';
import type { Round } from '../faults/round.ts';

/** Another application, which exports while the databases are being recovered. `sent`: all of its messages. */
export type Bystander = Pick<Round, 'app' | 'keys'> & { sent: readonly string[] };

const MESSAGES = 30;

/** Creates the bystander, before the first moment. */
export async function createBystander(platform: Platform): Promise<Bystander> {
  const app = await createApp(platform, 'bystander');
  const keys = makeKeyPair();
  await app.server('PUT', '/export_security', 200, { body: { public_key: keys.publicKey } });
  const ann = await app.login('ann');
  await app.login('ben');
  const { body } = await ann.call('POST', '/conversations', 201, { body: { participants: ['ben'] } });
  const path = `/conversations/${uuidOf(body.id)}/messages`;
  const sent: string[] = [];
  while (sent.length < MESSAGES) {
    const answer = await ann.call('POST', path, 201, { body: { parts: [textPart('to be exported')] } });
    sent.push(uuidOf(answer.body.id));
  }
  return { app, keys, sent };
}

/** Describes what an export that is requested now, and runs beside a recovery, lacks. */
export async function exportBystander(bystander: Bystander, client: Client): Promise<string[]> {
  const exported = new Set(await exportMessages(bystander, client));
  const lost = bystander.sent.filter((id) => !exported.has(id));
  return [
    ...lost.map((id) => `an export beside the recovery lacks ${id}`),
    ...(exported.size > bystander.sent.length ? ['an export beside the recovery has other messages'] : []),
  ];
}
