import { randomUUID } from 'node:crypto';
import { createSubscription } from '@parley/testing/doubles/web-push-decryption';
import { createConversation, createUsers, type Bench } from '../bench.ts';
import { drive, type Figures } from '../stats.ts';
import { startPushProvider, type PushProvider } from './push-provider.ts';

const USERS = 500;
const BROWSERS_OF_USER = 2;
const REGISTERED_AT_ONCE = 16;
const NOTIFICATIONS = 10;
const MESSAGES = 200;

/** Web Push to a service that answers in 50 ms: a burst to many browsers, then one message at a time from its commit on. */
export async function pushes(bench: Bench): Promise<Figures[]> {
  const provider = await startPushProvider(bench.tls);
  const count = Math.max(2, Math.round(USERS * bench.scale));
  const users = await createUsers(bench, 'pushed', count);
  const { keys } = createSubscription();
  await drive(count * BROWSERS_OF_USER, REGISTERED_AT_ONCE, async (index) => {
    const token = `${provider.origin}/${randomUUID()}`;
    const body = { type: 'web', device_id: `browser ${index}`, token, keys };
    await users[index % count]?.call('POST', '/push_tokens', 202, { body });
  });
  const recipients = users.map(({ id }) => id);
  const total = count * BROWSERS_OF_USER * NOTIFICATIONS;
  const burst = await bench.measure('pushes to browsers, burst', total, async () => {
    for (let number = 0; number < NOTIFICATIONS; number++)
      await bench.app.server('POST', '/notifications', 202, {
        body: { recipients, notification: { title: 'News', text: 'The quick brown fox jumps.' } },
      });
    await provider.wait(total);
    return [];
  });
  const [ada, bob] = users;
  const conversation = await createConversation([ada!, bob!]);
  const send = () =>
    ada!.call('POST', `/conversations/${conversation}/messages`, 201, {
      body: {
        parts: [{ mime_type: 'text/plain', body: 'Lunch?' }],
        notification: { title: 'Ada', text: 'Lunch?' },
      },
    });
  const latency = await bench.measure('pushes from the answer to the send, one at a time', MESSAGES, () =>
    timeOneByOne(provider, send),
  );
  await provider.stop();
  return [burst, latency];
}

/** Times from the answer to a send to the first push for its message, in milliseconds, the shortest first. */
async function timeOneByOne(provider: PushProvider, send: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    const before = provider.arrived();
    const first = provider.wait(before + 1).then(() => performance.now());
    await send();
    const answered = performance.now();
    times.push(Math.max(0, (await first) - answered));
    await provider.wait(before + BROWSERS_OF_USER);
  }
  return times.sort((one, other) => one - other);
}
