import { createClient, type Client, type List, type Message, type PagedQuery } from '../../../src/index.ts';
import { indexedDbStorage, tabs } from '../../../src/indexeddb.ts';

declare global {
  interface Window {
    /** The test signs identity tokens. */
    identityToken(userId: string, nonce: string): Promise<string>;
  }
}

/** `retryMs`: how long to wait before another try of a connection. */
export type Login = { url: string; appId: string; userId: string; retryMs?: number };

let client: Client;
const opened: WebSocket[] = [];
const windows = new Map<string, PagedQuery<Message>>();

/** The browser's own, counted. */
class CountedWebSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols);
    opened.push(this);
  }
}

/** Opens the records of a user, with one socket and one store for all tabs. */
export function start({ url, appId, userId, retryMs = 50 }: Login): void {
  client = createClient({
    ...{ url, appId, userId, storage: indexedDbStorage() },
    coordinator: tabs({ heartbeatMs: 100, silenceMs: 600 }),
    retryInMs: { first: retryMs, longest: retryMs * 10 },
    WebSocket: CountedWebSocket,
    identityToken: (nonce) => window.identityToken(userId, nonce),
  });
}

export function status(): string {
  return client.connection.getSnapshot().status;
}

/** How many sockets this tab has opened. */
export function sockets(): number {
  return opened.length;
}

/** Ends the sockets, as a network that goes away. */
export function cut(): void {
  for (const socket of opened) socket.close();
}

/** Events by which the browser says that the network is there again, or the page is looked at again. */
export function say(event: 'online' | 'visibilitychange'): void {
  const target = event === 'online' ? window : document;
  target.dispatchEvent(new Event(event));
}

export async function create(other: string): Promise<string> {
  return (await client.createConversation({ participants: [other] })).id;
}

/** Resolves when the message is kept on the device. */
export async function send(conversation: string, text: string): Promise<void> {
  const found = client.conversation(conversation).getSnapshot();
  if (!found) throw new Error(`${conversation} is not here`);
  await found.send(text);
}

function windowOf(conversation: string): List<Message> {
  let query = windows.get(conversation);
  if (!query) {
    query = client.messages(conversation);
    query.subscribe(() => undefined);
    windows.set(conversation, query);
  }
  return query.getSnapshot();
}

/** Lists the messages that the tab shows of a conversation, each with its state, the oldest first. */
export function shown(conversation: string): string[] {
  return windowOf(conversation).items.map(({ text, state }) => `${text} (${state})`);
}
