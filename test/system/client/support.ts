import { createClient, type Client, type ClientOptions, type Query } from '@parley/client';
import type { TestApp } from '../../support/app.ts';

/** A client of the library, with a user of a test's application. */
export function clientOf(app: TestApp, userId: string, options: Partial<ClientOptions> = {}): Client {
  return createClient({
    url: app.baseUrl,
    appId: app.appId,
    identityToken: (nonce) => app.identityToken(userId, { nonce, claims: { display_name: userId } }),
    retryInMs: { first: 50, longest: 500 },
    ...options,
  });
}

/** Opens clients of a test file, which are destroyed after each test. */
export function testClients(appOf: () => TestApp) {
  const clients: Client[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.destroy()));
  });
  return function open(userId: string, options: Partial<ClientOptions> = {}): Client {
    const client = clientOf(appOf(), userId, options);
    clients.push(client);
    return client;
  };
}

const WITHIN_MS = 30_000;

/** The first state of a query, the present one or a later one, that fits. */
export function shown<T>(query: Query<T>, fits: (state: T) => boolean, what = 'a state'): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`not within ${WITHIN_MS} ms: ${what}; it is ${JSON.stringify(query.getSnapshot())}`));
    }, WITHIN_MS);
    function look(): void {
      const state = query.getSnapshot();
      if (!fits(state)) return;
      clearTimeout(timer);
      stop();
      resolve(state);
    }
    const stop = query.subscribe(look);
    look();
  });
}
