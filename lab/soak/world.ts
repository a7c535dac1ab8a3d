import type { Platform } from '@parley/stack/platform';
import type { Receiver } from '@parley/testing/doubles/receiver';
import { createApp, uuidOf, type TestApp, type TestUser } from '../../test/support/app.ts';
import { ALL_EVENTS, subscribe } from '../../test/support/webhooks.ts';
import { connectBench, createRest, type BenchSocket } from '../load/client.ts';
import { drive } from '../load/stats.ts';

export type Member = { user: TestUser; app: TestApp; socket: BenchSocket };

/** `recent`: ids of the newest messages, oldest first. */
export type Conversation = { id: string; members: Member[]; recent: string[] };

/** Two applications with users, conversations and sockets; one of them has a webhook for all events. */
export type World = {
  apps: readonly TestApp[];
  members: readonly Member[];
  conversations: readonly Conversation[];
  receiver: Receiver;
  rest: ReturnType<typeof createRest>;
  /** Notifications that the webhook's receiver got. */
  notified(): number;
  /** Takes the milliseconds from a send to the packet at a recipient since the last call. */
  takeDeliveries(): number[];
  /** Opens a socket whose packets count as deliveries, those of a replay at its beginning left out. */
  openSocket(user: TestUser, replayFrom?: Date): Promise<BenchSocket>;
  stop(): Promise<void>;
};

const USERS_OF_APP = 60;
const CONVERSATIONS = 240;
const SIZES = [2, 2, 2, 2, 3, 5, 12];
/** Connections of the REST client. */
const CONNECTIONS = 40;
const SENT_AT = /"body":"soak (\d+\.\d+)/;

/** A body that says when it was sent. */
export function stamped(text: string): string {
  return `soak ${performance.now().toFixed(3)} ${text}`;
}

export async function createWorld({ baseUrl, state }: Platform): Promise<World> {
  const platform = { baseUrl, adminToken: state.admin_token };
  const apps = [await createApp(platform, 'soak'), await createApp(platform, 'soak with a webhook')];
  const { receiver } = await subscribe(apps[1]!, ALL_EVENTS);
  let notified = 0;
  receiver.respond = (_received, response) => {
    notified += 1;
    receiver.received.length = 0;
    response.end('thanks');
  };
  let deliveries: number[] = [];
  const openSocket = async (user: TestUser, replayFrom?: Date): Promise<BenchSocket> => {
    const socket = await connectBench(baseUrl, user.token);
    const data = JSON.stringify({ from_timestamp: replayFrom });
    if (replayFrom) await socket.request('Event.replay', '', data);
    socket.onPacket((text) => {
      if (!text.startsWith('{"type":"change"')) return;
      const sentAt = SENT_AT.exec(text)?.[1];
      if (sentAt) deliveries.push(performance.now() - Number(sentAt));
    });
    return socket;
  };
  const members: Member[] = [];
  await drive(apps.length * USERS_OF_APP, 8, async (index) => {
    const app = apps[index % apps.length]!;
    const user = await app.login(`user-${index}`);
    members[index] = { user, app, socket: await openSocket(user) };
  });
  return {
    ...{ apps, members, receiver, openSocket },
    conversations: await createConversations(members, apps.length),
    rest: createRest(baseUrl, CONNECTIONS),
    notified: () => notified,
    takeDeliveries: () => {
      const taken = deliveries;
      deliveries = [];
      return taken;
    },
    stop: async () => {
      for (const { socket } of members) socket.close();
      await receiver.stop();
    },
  };
}

/** Members of one application have indexes with the same remainder. */
async function createConversations(members: readonly Member[], apps: number): Promise<Conversation[]> {
  const conversations: Conversation[] = [];
  await drive(CONVERSATIONS, 8, async (index) => {
    const size = SIZES[index % SIZES.length]!;
    const own = Array.from({ length: size }, (_, nth) => members[(index + nth * apps) % members.length]!);
    const participants = own.map(({ user }) => user.id);
    const { body } = await own[0]!.user.call('POST', '/conversations', 201, { body: { participants } });
    conversations[index] = { id: uuidOf(body.id), members: own, recent: [] };
  });
  return conversations;
}
