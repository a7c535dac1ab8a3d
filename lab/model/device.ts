import {
  memoryStorage,
  type Client,
  type ClientOptions,
  type Message,
  type PagedQuery,
  type Upload,
} from '@parley/client';
import type { TestApp } from '../../test/support/app.ts';
import type { Setting } from './library.ts';
import { startProxy, type Proxy } from './proxy.ts';

/** A device of one user behind a network of its own. Its storage outlives a reload. */
export type Device = {
  readonly userId: string;
  readonly proxy: Proxy;
  readonly client: Client;
  /** How often each message was settled, by its id: `sent` or `failed`. */
  readonly settled: Map<string, string[]>;
  /** Windows on the messages of conversations, open since the device saw them. */
  messages(conversation: string): PagedQuery<Message>;
  /** Users whom this device ever tried to block, by user id. */
  readonly blocked: Set<string>;
  /** Conversations in which this device hid messages, by URI. */
  readonly hid: Set<string>;
  /** The window on the announcements. */
  announcements(): ReturnType<Client['announcements']>;
  /** Uploads a text as a file, and sends it to a conversation when it has arrived, also after a reload. */
  upload(conversation: string, text: string): void;
  reload(): Promise<void>;
  stop(): Promise<void>;
  readonly log: string[];
};

const PAGE_SIZE = 5;

function optionsOf(app: TestApp, userId: string, url: string): ClientOptions {
  return {
    url,
    appId: app.appId,
    userId,
    identityToken: (nonce) => app.identityToken(userId, { nonce, claims: { display_name: userId } }),
    storage: memoryStorage(),
    retryInMs: { first: 20, longest: 200 },
  };
}

export async function createDevice({ app, nextLibrary }: Setting, userId: string): Promise<Device> {
  const proxy = await startProxy(app.baseUrl);
  const settled = new Map<string, string[]>();
  const log: string[] = [];
  const options = optionsOf(app, userId, proxy.url);
  let announcements: ReturnType<Client['announcements']>;
  let windows = new Map<string, PagedQuery<Message>>();
  let stops: (() => void)[] = [];
  function open(): Client {
    const made = nextLibrary().createClient(options);
    listen(made, { settled, log });
    const conversations = made.conversations();
    stops.push(
      conversations.subscribe(() => {
        for (const { id } of conversations.getSnapshot().items) messages(id);
      }),
    );
    announcements = made.announcements({ pageSize: PAGE_SIZE });
    stops.push(announcements.subscribe(() => undefined));
    stops.push(sendUploads(made));
    return made;
  }
  function messages(id: string): PagedQuery<Message> {
    let query = windows.get(id);
    if (query) return query;
    query = client.messages(id, { pageSize: PAGE_SIZE });
    windows.set(id, query);
    stops.push(query.subscribe(() => undefined));
    return query;
  }
  async function close(): Promise<void> {
    for (const stop of stops) stop();
    stops = [];
    windows = new Map();
    await client.destroy();
  }
  let client = open();
  return {
    ...{ userId, proxy, hid: new Set<string>() },
    get client() {
      return client;
    },
    settled,
    log,
    blocked: new Set(),
    messages,
    announcements: () => announcements,
    upload: (data, text) => void client.uploads.start(new Blob([text], { type: 'image/png' }), { data }),
    async reload() {
      await close();
      client = open();
    },
    async stop() {
      await close();
      await proxy.stop();
    },
  };
}

function listen(client: Client, { settled, log }: Pick<Device, 'settled' | 'log'>): void {
  const note = (id: string, how: string): void => void settled.set(id, [...(settled.get(id) ?? []), how]);
  client.on('sent', ({ id }) => note(id, 'sent'));
  client.on('failed', ({ operation, message }) => {
    if (operation === 'send' && message !== undefined) note(message, 'failed');
  });
  client.on('diagnostic', ({ name, data }) =>
    log.push(`${new Date().toISOString().slice(14)} ${name} ${JSON.stringify(data)}`),
  );
}

/** Sends each file that has arrived to the conversation that it is for, once while this client lives. */
function sendUploads(client: Client): () => void {
  const taken = new Set<string>();
  async function send(upload: Upload): Promise<void> {
    const part = await upload.done();
    const conversation = client.conversation(String(upload.getSnapshot().data)).getSnapshot();
    await conversation?.send({ parts: [part] });
    await upload.dismiss();
  }
  function look(): void {
    for (const upload of client.uploads.getSnapshot().items) {
      if (taken.has(upload.id)) continue;
      taken.add(upload.id);
      // It ends with the client, or is refused.
      send(upload).catch(() => undefined);
    }
  }
  const stop = client.uploads.subscribe(look);
  look();
  return stop;
}
