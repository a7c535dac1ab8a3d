import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { WebPushService } from '@parley/testing/doubles/web-push-service';
import { uuidOf, type TestUser } from '../../test/support/app.ts';
import type { Push, Pushes } from './pushes.ts';

/** One of so many pushes to a device is refused, and the answer to another one is lost. */
const FAILING_EVERY = 30;
/** The third attempt comes long enough after the first to tell whether it is still wanted. */
const REFUSED_TIMES = 2;

/** Registers a browser of each user at a push service that fails now and then. Returns what tells the pushes to them so far. */
export async function startDevices(web: WebPushService, users: readonly TestUser[]): Promise<() => Pushes> {
  web.received.length = 0;
  web.faults.length = 0;
  const browsers = new Map<string, Browser>();
  web.respond = ({ endpoint, payload, headers }, response) => {
    const browser = browsers.get(endpoint);
    const id = String(payload['message_id']);
    const push = { message: uuidOf(id), topic: String(headers['topic']), tag: String(payload['tag'] ?? id) };
    if (browser) browser.take(push, response);
    else response.writeHead(201).end();
  };
  for (const user of users) {
    const { public_key } = (await user.call('GET', '/push_key', 200)).body;
    const { endpoint: token, keys } = web.subscribe(public_key);
    browsers.set(token, createBrowser(user));
    const body = { type: 'web', device_id: randomUUID(), token, keys };
    await user.call('POST', '/push_tokens', 202, { body });
  }
  return () => {
    const all = [...browsers.values()];
    return {
      devices: all.map(({ user, device }) => ({ user, device })),
      requests: all.flatMap(({ requests }) => requests),
      faults: [...web.faults],
    };
  };
}

type Browser = {
  user: string;
  device: string;
  requests: Push[];
  take(push: Pick<Push, 'message' | 'topic' | 'tag'>, response: ServerResponse): void;
};

function createBrowser({ id: user }: TestUser): Browser {
  const device = `${user}'s device`;
  const requests: Push[] = [];
  const messages = new Map<string, { index: number; attempts: number }>();
  return {
    ...{ user, device, requests },
    take(push, response) {
      const known = messages.get(push.message) ?? { index: messages.size, attempts: 0 };
      messages.set(push.message, known);
      known.attempts += 1;
      const turn = known.index % FAILING_EVERY;
      const isTaken = turn !== 0 || known.attempts > REFUSED_TIMES;
      requests.push({ ...push, device, isTaken, at: Date.now() });
      if (turn === FAILING_EVERY / 2 && known.attempts === 1) response.destroy();
      else response.writeHead(isTaken ? 201 : 503).end();
    },
  };
}
