import { registerPush } from './register.ts';

const KEYS = { p256dh: 'a point', auth: 'a secret' };

/** A browser that is subscribed with the key of another application, and a client that notes what it registers. */
function createBrowser(endpoint: string) {
  const registered: object[] = [];
  let subscribedWith: string | undefined = 'the key of another application';
  const subscription = {
    toJSON: () => ({ endpoint, keys: KEYS }),
    unsubscribe: () => Promise.resolve(((subscribedWith = undefined), true)),
  };
  const pushManager = {
    subscribe({ applicationServerKey }: { applicationServerKey: string }) {
      if (subscribedWith !== undefined && subscribedWith !== applicationServerKey)
        return Promise.reject(Object.assign(new Error('another key'), { name: 'InvalidStateError' }));
      subscribedWith = applicationServerKey;
      return Promise.resolve(subscription);
    },
    getSubscription: () => Promise.resolve(subscription),
  };
  const client = {
    request: () => Promise.resolve({ public_key: 'the key' }),
    push: {
      register: (registration: object) => Promise.resolve(void registered.push(registration)),
      unregister: () => Promise.resolve(),
    },
  };
  return { client, worker: { pushManager }, registered };
}

test('a subscription with the key of another application is replaced', async () => {
  const { client, worker, registered } = createBrowser('https://push.example/1');
  await registerPush(client, worker, { deviceId: 'laptop' });
  expect(registered).toEqual([
    { token: 'https://push.example/1', type: 'web', keys: KEYS, deviceId: 'laptop' },
  ]);
});

test('a subscription keeps its device at every start, and another one is another device', async () => {
  const { client, worker, registered } = createBrowser('https://push.example/1');
  await registerPush(client, worker);
  await registerPush(client, worker);
  const other = createBrowser('https://push.example/2');
  await registerPush(other.client, other.worker);
  const [first, again, second] = [...registered, ...other.registered].map(
    (one) => (one as { deviceId: string }).deviceId,
  );
  expect(first).toMatch(/^browser-[0-9a-f]{32}$/);
  expect(again).toBe(first);
  expect(second).not.toBe(first);
});

test('a refused permission is not hidden', async () => {
  const { client } = createBrowser('https://push.example/1');
  const refusal = Object.assign(new Error('denied'), { name: 'NotAllowedError' });
  const pushManager = {
    subscribe: () => Promise.reject(refusal),
    getSubscription: () => Promise.resolve(null),
  };
  await expect(registerPush(client, { pushManager })).rejects.toBe(refusal);
});
