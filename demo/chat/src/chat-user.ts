import { createClient, type Client } from '@parley/client';
import { indexedDbStorage, tabs } from '@parley/client/indexeddb';
import { leanSockets } from '@parley/client/lean';
import { en, type Texts } from '@parley/react-ui';
import { identityToken } from './backend.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createOfflineSwitch, type OfflineSwitch } from './offline.ts';
import { createPacketLog, watchedSocket, type PacketLog } from './packets.ts';
import { PAGE } from './page.ts';

/** A user of this page. */
export type ChatUser = {
  readonly id: string;
  /** As the backend names the user. */
  readonly name: string;
  /** Those of the components: two users on one page have a list each. */
  readonly texts: Texts;
  readonly client: Client;
  readonly packets: PacketLog;
  /** Takes all windows of this user off the network, or back. */
  readonly offline: OfflineSwitch;
  readonly notifications: Notifications;
};

type Shared = { packet: string; isSent: boolean } | { isOffline: boolean };

/** Once for each user, outside of components. The windows of a user share one socket, and tell each other what passes there. */
export function createChatUser(id: string): ChatUser {
  const packets = createPacketLog();
  const windows = new BroadcastChannel(`parley-demo/${id}`);
  const client = createClient({
    url: PAGE.url,
    appId: PAGE.appId,
    userId: id,
    identityToken: (nonce) => identityToken(id, nonce),
    storage: indexedDbStorage(),
    coordinator: tabs(),
    // On a laptop a process that was killed is back in a second.
    retryInMs: { first: 300, longest: 3_000 },
    WebSocket: leanSockets(
      watchedSocket((data, isSent) => {
        packets.add(data, isSent);
        windows.postMessage({ packet: String(data), isSent });
      }),
    ),
  });
  const offline = createOfflineSwitch(client);
  windows.onmessage = ({ data }: MessageEvent<Shared>) => {
    if ('packet' in data) packets.add(data.packet, data.isSent);
    else offline.follow(data.isOffline);
  };
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  return {
    id,
    name,
    texts: Object.assign({}, en, { conversations: `${name}’s chats` }),
    client,
    packets,
    notifications: createNotifications(id, client),
    offline: {
      ...offline,
      set(isOffline) {
        offline.set(isOffline);
        windows.postMessage({ isOffline });
      },
    },
  };
}
