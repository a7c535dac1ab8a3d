import { drive } from '../../stats.ts';
import { channelTo, driveDeliveries, TEXT, type Channel, type Crowd } from '../../scenarios/deliveries.ts';
import { totalOf, type Shape } from '../../scenarios/shapes.ts';
import type { System } from '../system.ts';
import { connectXmpp, type XmppClient } from '../xmpp/client.ts';
import { CONFERENCE, DOMAIN, message } from '../xmpp/stanzas.ts';
import type { EjabberdProgram } from './program.ts';
import { startEjabberd } from './server.ts';

const PASSWORD = 'secret';
const CONNECTED_AT_ONCE = 20;

/** Sent before the first shape. */
const WARM_UP: Shape = { name: 'warm-up', users: 50, outstanding: 1, total: 10_000 };

/** Starts ejabberd as the system to measure. */
export async function createEjabberdSystem(
  program: EjabberdProgram,
  { scale, acknowledges }: { scale: number; acknowledges: boolean },
): Promise<System> {
  const server = await startEjabberd(program);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let crowds = 0;

  /** Users that no other crowd has. */
  async function connectUsers(count: number): Promise<XmppClient[]> {
    const prefix = `user-${++crowds}`;
    const clients: XmppClient[] = [];
    await drive(count, CONNECTED_AT_ONCE, async (index) => {
      const access = { port: server.port, user: `${prefix}-${index}`, password: PASSWORD, acknowledges };
      clients[index] = await connectXmpp({ ...access, fail });
    });
    return clients;
  }

  async function connectPairs({ users }: Shape): Promise<Crowd> {
    const clients = await connectUsers(2 * users);
    const channels = Array.from({ length: users }, (_, index) => {
      const [sender, recipient] = clients.slice(2 * index, 2 * index + 2);
      if (!sender || !recipient) throw new Error('no clients');
      return channelOf(sender, { to: `${recipient.user}@${DOMAIN}`, type: 'chat' }, [recipient]);
    });
    return crowdOf(channels, clients);
  }

  async function connectGroup({ users }: Shape): Promise<Crowd> {
    const clients = await connectUsers(users);
    const room = `room-${crowds}`;
    const [sender, ...recipients] = clients;
    if (!sender) throw new Error('no clients');
    await sender.enter(room);
    await drive(recipients.length, CONNECTED_AT_ONCE, async (index) => recipients[index]?.enter(room));
    const address = { to: `${room}@${CONFERENCE}`, type: 'groupchat' } as const;
    return crowdOf([channelOf(sender, address, recipients)], clients);
  }

  async function warmUp(): Promise<void> {
    const crowd = await connectPairs(WARM_UP);
    const total = totalOf(WARM_UP, Math.min(scale, 1));
    await Promise.race([driveDeliveries(crowd.channels, { ...WARM_UP, total }), failed]);
    crowd.close();
  }

  const { state, countStored, stop } = server;
  return { state, warmUp, connectPairs, connectGroup, countStored, failed, stop };
}

type Address = { to: string; type: 'chat' | 'groupchat' };

function channelOf(sender: XmppClient, address: Address, recipients: readonly XmppClient[]): Channel {
  let id = 0;
  return channelTo(
    () => {
      sender.send(message({ ...address, id: ++id, text: TEXT }));
      return Promise.resolve();
    },
    recipients.map((recipient) => (arrived) => recipient.onMessage(arrived)),
  );
}

function crowdOf(channels: readonly Channel[], clients: readonly XmppClient[]): Crowd {
  return {
    channels,
    bytes: () => clients.reduce((sum, client) => sum + client.bytes(), 0),
    close() {
      for (const client of clients) client.close();
    },
  };
}
