import { clientEnded } from '../errors.ts';
import { FORMAT } from '../store/format.ts';
import { createAsks, type Asks } from './asks.ts';
import { alone, type Coordinator, type CoordinatorFactory, type CoordinatorHandlers } from './coordinator.ts';
import { createElection, type Election } from './election.ts';
import { isTabMessage, type TabMessage } from './tab-message.ts';
import { uuid7 } from '../uuid.ts';

/** Times of the coordinator, in milliseconds. */
export type TabsOptions = {
  /** Time between two heartbeats of the leader, in milliseconds; by default 1,000. */
  heartbeatMs?: number;
  /** After how long without a sign of the leader a visible tab asks it for one, and then takes over; by default 3,000. */
  silenceMs?: number;
};

/**
 * Has all tabs of a browser share one socket and one store: one of them leads, by a Web Lock. When it is closed or crashes, the
 * browser passes the lock on at once. When it is frozen, or so busy that it does not answer, a visible tab takes over; what the old leader
 * still writes is refused by the store, since each leader claims an epoch of its own.
 *
 * On pages that are neither HTTPS nor localhost browsers lack Web Locks and BroadcastChannel: each client is alone there.
 *
 * @param options Times, for tests and unusual environments.
 * @returns The factory, for `createClient`.
 * @example
 * const client = createClient({ url, appId, identityToken, storage: indexedDbStorage(), coordinator: tabs() });
 */
export function tabs({ heartbeatMs = 1_000, silenceMs = 3_000 }: TabsOptions = {}): CoordinatorFactory {
  return (given) => {
    const { locks } = globalThis.navigator ?? {};
    if (!locks || typeof BroadcastChannel === 'undefined') return alone(given);
    return createTabs(given, { heartbeatMs, silenceMs, locks });
  };
}

type Times = Required<TabsOptions> & { locks: LockManager };

/** One tab among those that share a store. */
type Tab = {
  readonly id: string;
  readonly channel: BroadcastChannel;
  readonly asks: Asks;
  election: Election | undefined;
  handlers: CoordinatorHandlers | undefined;
};

function createTabs({ name, store }: Parameters<CoordinatorFactory>[0], times: Times): Coordinator {
  // eslint-disable-next-line no-restricted-syntax -- a name of stores and locks
  const scope = `parley/${FORMAT}/${name}`;
  const channel = new BroadcastChannel(scope);
  const send = (message: TabMessage) => channel.postMessage(message);
  const id = uuid7();
  const asks = createAsks({ id, send, run: (command) => tab.handlers?.run(command) ?? ended() });
  const tab: Tab = { id, channel, asks, election: undefined, handlers: undefined };
  return {
    start(handlers) {
      tab.handlers = handlers;
      channel.onmessage = ({ data }) => {
        if (isTabMessage(data)) receive(tab, data);
      };
      tab.election = createElection({
        ...times,
        lockName: `${scope}/leader`,
        send,
        claim: () => store.claim(),
        lead(epoch) {
          tab.handlers?.lead(epoch);
          asks.leaderIs('here');
        },
        woke: () => tab.handlers?.refresh(),
        follow() {
          asks.leaderIs('elsewhere');
          tab.handlers?.follow();
        },
      });
    },
    post: (data) => send({ kind: 'post', data }),
    ask: (command) => (tab.handlers ? asks.ask(command) : ended()),
    stop: () => stop(tab),
  };
}

function receive({ election, asks, handlers, id }: Tab, message: TabMessage): void {
  if (message.kind === 'post') handlers?.receive(message.data);
  else if (message.kind === 'ping') election?.answer();
  else if (message.kind === 'beat') {
    if (election?.confirmByPacket(message.epoch)) asks.leaderIs('elsewhere');
  } else if (message.kind === 'ask') {
    if (election?.isLeader()) void asks.runFor(message);
  } else if (message.to === id) asks.settle(message);
}

async function stop(tab: Tab): Promise<void> {
  tab.handlers = undefined;
  await tab.election?.stop();
  tab.channel.close();
  tab.asks.stop();
}

function ended(): Promise<never> {
  return Promise.reject(clientEnded());
}
