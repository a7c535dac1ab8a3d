import { fromBinary } from '@parley/codec';
import { conversationReference } from '@parley/domain/json/conversation';
import { basicIdentityJson } from '@parley/domain/json/identity';
import type { View } from '@parley/domain/json/view';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { SignalSchema, Typing_Action } from '@parley/proto/parley/live/v1/live_pb';
import { frameBody } from '../connection/frame.ts';
import { aboutConversation } from './render/about.ts';
import { isMembershipOf, type Audiences } from '../../upstream/messaging/audiences.ts';
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
 * This gateway ends the typing for its own sockets this long after the user's last signal: the user's gateway may be gone, or its
 * `finished` refused. Milliseconds. docs/protocol/websocket.md#signals
 */
const ABANDONED_AFTER_MS = 10_000;
const RETRY_MS = 1_000;
/** Late signals of typing that has ended here may arrive for this long: its `finished`, or those of a removed user. Milliseconds. */
const ENDED_MS = 5_000;

export type TypingSignals = {
  receive(payload: Uint8Array, appId: string): void;
  /** Ends the typing of users whom an event removes from the conversation, since their own signals are refused from then on. */
  membersChanged(event: Event): void;
  stop(): void;
};

type Timed = { cancel(): void };

type State = Options & {
  /** Users who appear to type, with the timer that sends `finished`. */
  typing: Map<string, Timed & { typist: Typist }>;
  /** Users whose typing has ended here; `isRemoved`: they may not type any more. */
  ended: Map<string, Timed & { isRemoved: boolean }>;
  /** The last unfinished push of each typing user. */
  pushing: Map<string, Promise<void>>;
};

/** Pushes typing signals to the sockets of the other participants; they are neither stored nor replayed. */
export function createTypingSignals(options: Options): TypingSignals {
  const state: State = { ...options, typing: new Map(), ended: new Map(), pushing: new Map() };
  const { typing, ended } = state;
  return {
    receive: (payload, appId) => void receive(state, payload, appId).catch(options.failed),
    membersChanged({ appId, conversationId, body }) {
      if (body.case !== 'conversationUpdated') return;
      const keyOfUser = (userId: string): string => keyOf({ appId, conversationId, sender: { userId } });
      for (const { userId } of body.value.added) forget(ended, keyOfUser(userId));
      for (const userId of body.value.removedUserIds) endOfRemoved(state, keyOfUser(userId));
    },
    stop() {
      for (const key of [...typing.keys()]) forget(typing, key);
      for (const key of [...ended.keys()]) forget(ended, key);
    },
  };
}

async function receive(state: State, payload: Uint8Array, appId: string): Promise<void> {
  const { conversationId, kind } = fromBinary(SignalSchema, payload);
  if (!state.hub.usersOf(appId) || kind.case !== 'typing' || !kind.value.sender) return;
  const { sender, action, lastsMs, hiddenFrom } = kind.value;
  const typist = { appId, conversationId, sender, hiddenFrom: new Set(hiddenFrom) };
  const key = keyOf(typist);
  if (!isDue(state, key, action)) return;
  const ended = endForBlockers(state, typist);
  if (!isEnd(action)) finishAfter(state, typist, lastsMs + ABANDONED_AFTER_MS);
  const one = state.typing.get(key);
  await Promise.all([ended, pushInOrder(state, typist, action)]);
  // If the user has begun to type again meanwhile, a new timer is responsible.
  if (isEnd(action) && state.typing.get(key) === one) forget(state.typing, key);
}

/** Ends the indicator for recipients who saw it begin and have blocked the typing user since. */
async function endForBlockers(state: State, typist: Typist): Promise<void> {
  const shown = state.typing.get(keyOf(typist))?.typist;
  if (!shown) return;
  const onlyTo = new Set([...typist.hiddenFrom].filter((userId) => !shown.hiddenFrom.has(userId)));
  if (onlyTo.size === 0) return;
  await pushInOrder(state, { ...typist, hiddenFrom: NOBODY, onlyTo }, Typing_Action.FINISHED);
}

/** Whether a signal still concerns the audience: not that of a removed user, nor the `finished` of typing that has already ended here. */
function isDue({ ended }: State, key: string, action: Typing_Action): boolean {
  const end = ended.get(key);
  if (!end) return true;
  if (end.isRemoved) return false;
  forget(ended, key);
  return !isEnd(action);
}

function isEnd(action: Typing_Action): boolean {
  return action !== Typing_Action.STARTED && action !== Typing_Action.PAUSED;
}

function finishAfter(state: State, typist: Typist, afterMs: number): void {
  const key = keyOf(typist);
  forget(state.typing, key);
  const cancel = state.clock.setTimer(afterMs, () => {
    if (!state.ended.get(key)?.isRemoved) noteEnded(state, key, false);
    finish(state, key, one);
  });
  const one = { typist, cancel };
  state.typing.set(key, one);
}

function endOfRemoved(state: State, key: string): void {
  noteEnded(state, key, true);
  const one = state.typing.get(key);
  if (!one) return;
  one.cancel();
  finish(state, key, one);
}

function noteEnded({ ended, clock }: State, key: string, isRemoved: boolean): void {
  forget(ended, key);
  ended.set(key, { isRemoved, cancel: clock.setTimer(ENDED_MS, () => void ended.delete(key)) });
}

/** Pushes `finished`, and tries again later if that fails. */
function finish(state: State, key: string, one: { typist: Typist }): void {
  pushInOrder(state, one.typist, Typing_Action.FINISHED).then(
    () => {
      if (state.typing.get(key) === one) state.typing.delete(key);
    },
    (error: unknown) => {
      state.failed(error);
      if (state.typing.get(key) === one) finishAfter(state, one.typist, RETRY_MS);
    },
  );
}

/** Pushes the signals of one user in order: finding the audience of the first may take longer than that of the next. */
async function pushInOrder(state: State, typist: Typist, action: Typing_Action): Promise<void> {
  const { pushing } = state;
  const key = keyOf(typist);
  const pushNow = (): Promise<void> => push(state, typist, action);
  const pushed = pushing.get(key)?.then(pushNow, pushNow) ?? pushNow();
  pushing.set(key, pushed);
  try {
    await pushed;
  } finally {
    if (pushing.get(key) === pushed) pushing.delete(key);
  }
}

function forget(known: Map<string, Timed>, key: string): void {
  known.get(key)?.cancel();
  known.delete(key);
}

type Typist = {
  appId: string;
  conversationId: string;
  sender: BasicIdentity;
  /** Participants who block the sender. */
  hiddenFrom: ReadonlySet<string>;
  /** Absent: all other participants. */
  onlyTo?: ReadonlySet<string>;
};

const NOBODY: ReadonlySet<string> = new Set();

async function push(
  { hub, audiences, view }: Options,
  { appId, conversationId, sender, hiddenFrom, onlyTo }: Typist,
  action: Typing_Action,
): Promise<void> {
  const audience = await audiences.current(appId, conversationId);
  const users = hub.usersOf(appId);
  const appView = { ...view, appId };
  const signal = {
    type: 'typing_indicator',
    object: { type: 'Conversation', ...conversationReference(appView, conversationId) },
    data: { action: ACTIONS[action], sender: basicIdentityJson(appView, sender) },
  };
  const body = frameBody(signal, aboutConversation(conversationId));
  for (const member of audience.members) {
    const { identity, leftSeq } = member;
    if (!identity || leftSeq !== 0 || identity.userId === sender.userId) continue;
    if (hiddenFrom.has(identity.userId) || onlyTo?.has(identity.userId) === false) continue;
    for (const socket of users?.get(identity.userId) ?? []) {
      if (isMembershipOf(audience, member, socket.caller?.incarnation)) socket.push('signal', body);
    }
  }
}

function keyOf({
  appId,
  conversationId,
  sender,
}: Pick<Typist, 'appId' | 'conversationId'> & { sender: Pick<BasicIdentity, 'userId'> }): string {
  return `${appId}/${conversationId}/${sender.userId}`;
}
