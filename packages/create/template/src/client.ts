import { createClient, type Client } from '@parley/client';
import { indexedDbStorage, tabs } from '@parley/client/indexeddb';

let client: Client | undefined;

/** The client of this page's user, who talks with one other: made once, outside of components. */
export function logIn(me: string, other: string): Client {
  if (client) return client;
  client = createClient({
    url: import.meta.env.VITE_PARLEY_URL,
    appId: import.meta.env.VITE_PARLEY_APP_ID,
    userId: me,
    identityToken: (nonce) => askBackend(me, nonce),
    storage: indexedDbStorage(),
    coordinator: tabs(),
  });
  void client.createConversation({ participants: [other], distinct: true });
  return client;
}

async function askBackend(user: string, nonce: string): Promise<string> {
  const answer = await fetch(`/identity-token?${new URLSearchParams({ user, nonce })}`);
  if (!answer.ok) throw new Error(`The login backend answered ${answer.status}.`);
  return answer.text();
}
