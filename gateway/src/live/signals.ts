import { fromBinary } from '@parley/codec';
import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/clock';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { frameBody } from '../connection/frame.ts';
import type { Audiences } from '../messaging/audiences.ts';
import type { PacketSink } from './render/recipients.ts';

const ACTIONS = {
  [Typing_Action.UNSPECIFIED]: 'finished',
  [Typing_Action.STARTED]: 'started',
  [Typing_Action.PAUSED]: 'paused',
  [Typing_Action.FINISHED]: 'finished',
} as const;

type Options = {
  hub: { usersOf(appId: string): ReadonlyMap<string, ReadonlySet<PacketSink>> | undefined };
  audiences: Pick<Audiences, 'current'>;
  view: View;
  clock: Clock;
  failed(error: unknown): void;
};

/**
 * The gateway of a typing user sends `finished` 10 s after the last signal. If that gateway is gone, this one does so for its own
 * sockets. Milliseconds. docs/protocol/websocket.md#signals
 */
const ABANDONED_AFTER_MS = 12_000;
const RETRY_MS = 1_000;

export type TypingSignals = {
  receive(payload: Uint8Array, appId: string): void;
  stop(): void;
};

/** Pushes typing signals to the sockets of the other participants; they are neither stored nor replayed. */
export function createTypingSignals(options: Options): TypingSignals {
  const { hub, clock, failed } = options;
  /** For each typing user: cancels the timer that sends `finished`. */
  const typing = new Map<string, () => void>();
  /** For each typing user: the last push under way. */
  const pushing = new Map<string, Promise<void>>();

  /** Pushes the signals of one user in their order: the audience of the first may take longer to find than that of the next. */
  async function pushInOrder(typist: Typist, action: Typing_Action): Promise<void> {
    const key = keyOf(typist);
    const pushNow = (): Promise<void> => push(options, typist, action);
    const pushed = pushing.get(key)?.then(pushNow, pushNow) ?? pushNow();
    pushing.set(key, pushed);
    try {
      await pushed;
    } finally {
      if (pushing.get(key) === pushed) pushing.delete(key);
    }
  }

  function forget(key: string): void {
    typing.get(key)?.();
    typing.delete(key);
  }

  function finishAfter(typist: Typist, afterMs: number): void {
    const key = keyOf(typist);
    forget(key);
    const cancel = clock.setTimer(afterMs, () => {
      pushInOrder(typist, Typing_Action.FINISHED).then(
        () => {
          if (typing.get(key) === cancel) typing.delete(key);
        },
        (error: unknown) => {
          failed(error);
          if (typing.get(key) === cancel) finishAfter(typist, RETRY_MS);
        },
      );
    });
    typing.set(key, cancel);
  }

  async function receive(payload: Uint8Array, appId: string): Promise<void> {
    const { conversationId, kind } = fromBinary(SignalSchema, payload);
    if (!hub.usersOf(appId) || kind.case !== 'typing' || !kind.value.sender) return;
    const { sender, action, lastsMs } = kind.value;
    const typist = { appId, conversationId, sender };
    if (action === Typing_Action.STARTED) finishAfter(typist, lastsMs + ABANDONED_AFTER_MS);
    const key = keyOf(typist);
    const cancel = typing.get(key);
    await pushInOrder(typist, action);
    // If the user has begun to type again meanwhile, a new timer is responsible.
    if (action !== Typing_Action.STARTED && typing.get(key) === cancel) forget(key);
  }

  return {
    receive: (payload, appId) => void receive(payload, appId).catch(failed),
    stop() {
      for (const key of [...typing.keys()]) forget(key);
    },
  };
}

type Typist = { appId: string; conversationId: string; sender: BasicIdentity };

async function push(
  { hub, audiences, view }: Options,
  { appId, conversationId, sender }: Typist,
  action: Typing_Action,
): Promise<void> {
  const audience = await audiences.current(appId, conversationId);
  const users = hub.usersOf(appId);
  const appView = { ...view, appId };
  const body = frameBody({
    type: 'typing_indicator',
    object: { type: 'Conversation', ...conversationReference(appView, conversationId) },
    data: { action: ACTIONS[action], sender: basicIdentityJson(appView, sender) },
  });
  for (const { identity, leftSeq } of audience.members) {
    if (!identity || leftSeq !== 0 || identity.userId === sender.userId) continue;
    for (const socket of users?.get(identity.userId) ?? []) socket.push('signal', body);
  }
}

function keyOf({ appId, conversationId, sender }: Typist): string {
  return `${appId}/${conversationId}/${sender.userId}`;
}
