import { startReceiver } from '@parley/testing/doubles/receiver';
import { until } from '../../../test/support/until.ts';
import type { Bench } from '../bench.ts';
import { createConversations } from '../bench.ts';
import { connectBench } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const inFlight = 100;
const body = JSON.stringify({ parts: [{ mime_type: 'text/plain', body: 'to a webhook' }] });
const accept = 'application/vnd.svc.webhooks+json; version=3.0';

/** Messages that reach a local receiver as notifications: all of a burst, then one at a time for the latency. */
export const webhooks = async (bench: Bench): Promise<Figures[]> => {
  const receiver = await startReceiver();
  const registration = {
    version: '3.0',
    target_url: receiver.url,
    events: ['Message.created'],
    secret: 'bench',
  };
  const { body: made } = await bench.app.server('POST', '/webhooks', 201, {
    headers: { accept },
    body: registration,
  });
  await until('the webhook is active', async () => {
    const path = `/webhooks/${made.id.split('/').pop()}`;
    const { body: now } = await bench.app.server('GET', path, 200, { headers: { accept } });
    return now.status === 'active' || undefined;
  });
  const users = [await bench.app.login('ada'), await bench.app.login('bob')];
  const conversations = await createConversations(users, inFlight);
  const socket = await connectBench(bench.app.baseUrl, users[0]?.token ?? '');
  const send = (index: number) =>
    socket.request('Message.create', `svc:///conversations/${conversations[index % inFlight]}`, body);
  const total = 10_000 * bench.scale;
  const burst = await bench.measure('webhook deliveries, burst', total, async () => {
    await drive(total, inFlight, send);
    await until('all are delivered', () => receiver.received.length >= total || undefined, 120_000);
    return [];
  });
  const backlog = await drain(bench, { receiver, webhook: `/webhooks/${made.id.split('/').pop()}`, send });
  const latency = await bench.measure('webhook latency, one at a time', 200, () =>
    drive(200, 1, (index) => attempted(receiver, send, index)),
  );
  await receiver.stop();
  socket.close();
  return [burst, backlog, latency];
};

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
type Owed = { receiver: Receiver; webhook: string; send(index: number): Promise<unknown> };

/** Measures the deliveries that a webhook is owed when it has been verified again: deliveries alone, since nothing is sent meanwhile. */
const drain = async (bench: Bench, { receiver, webhook, send }: Owed): Promise<Figures> => {
  const total = 10_000 * bench.scale;
  let pass: (() => void) | undefined;
  receiver.verify = (challenge, response) => {
    pass = () => response.end(challenge);
  };
  await bench.app.server('POST', `${webhook}/activate`, 200, { headers: { accept } });
  await drive(total, inFlight, send);
  await until('all are owed', async () => {
    const { headers } = await bench.app.server(
      'GET',
      `${webhook}/deliveries?status=pending&page_size=1`,
      200,
      {
        headers: { accept },
      },
    );
    return Number(headers['svc-count']) >= total || undefined;
  });
  const before = receiver.received.length;
  return bench.measure('webhook deliveries, a backlog', total, async () => {
    pass?.();
    await until('all are delivered', () => receiver.received.length >= before + total || undefined, 120_000);
    return [];
  });
};

const attempted = async (
  receiver: Receiver,
  send: (index: number) => Promise<unknown>,
  index: number,
): Promise<void> => {
  const before = receiver.received.length;
  const there = new Promise<void>((resolve) => {
    receiver.respond = (_received, response) => {
      response.end('thanks');
      resolve();
    };
  });
  await send(index);
  if (receiver.received.length === before) await there;
};
