import type { HiddenNames, ReactionsChanged } from '@parley/proto/parley/event/v1/event_pb';
import type { MessageReaction } from '@parley/proto/parley/messaging/v1/message_pb';
import { identityUri } from '../../ids.ts';
import { joinPath } from '../../metadata/dotted-path.ts';
import type { Wire } from '../../wire.ts';
import type { ChangeBody, ChangeStep } from '../change.ts';
import type { View } from '../view.ts';
import { messageObject } from './message.ts';

/** The steps of one event for `view.userId`. Live, the steps of several events are gathered instead. */
export function reactionsChange(view: View, conversationId: string, change: ReactionsChanged): ChangeBody[] {
  const { wire, userId } = view;
  const hidden = hiddenNamesOf(change.hiddenNames, userId);
  const own = userId === undefined ? new Map<string, boolean>() : ownChangesOf(change, userId);
  const data = reactionSteps(wire, { reactions: change.reactions, hidden, own });
  if (data.length === 0) return [];
  return [{ operation: 'update', object: messageObject(view, conversationId, change.messageId), data }];
}

/** The users whom one user blocks, of those whom a change names. */
export function hiddenNamesOf(
  hiddenNames: readonly HiddenNames[],
  userId: string | undefined,
): ReadonlySet<string> {
  return new Set(hiddenNames.find((names) => names.userId === userId)?.blockedUserIds);
}

/** Whether the user reacts now, by the keys of their own changes. */
export function ownChangesOf(
  { changes }: Pick<ReactionsChanged, 'changes'>,
  userId: string,
): Map<string, boolean> {
  const own = new Map<string, boolean>();
  for (const { key, user, removed } of changes) if (user?.userId === userId) own.set(key, !removed);
  return own;
}

export type ReactionState = {
  reactions: readonly MessageReaction[];
  /** Users who are not named. */
  hidden: ReadonlySet<string>;
  /** Whether the reader reacts, by key; only of the keys that they changed. */
  own: ReadonlyMap<string, boolean>;
};

/** Count and names in two steps, so that they leave `own` as it is. docs/protocol/messages.md#reactions */
export function reactionSteps(wire: Wire, { reactions, hidden, own }: ReactionState): ChangeStep[] {
  const gone = new Set(reactions.filter(({ count }) => count === 0).map(({ key }) => key));
  const steps = reactions.flatMap((reaction) => stepsOf(wire, reaction, hidden));
  for (const [key, isOwn] of own) {
    if (gone.has(key)) continue;
    const property = joinPath(['reactions', key, 'own']);
    steps.push(isOwn ? { operation: 'set', property, value: true } : { operation: 'delete', property });
  }
  return steps;
}

function stepsOf(
  wire: Wire,
  { key, count, recent }: MessageReaction,
  hidden: ReadonlySet<string>,
): ChangeStep[] {
  const property = (name: string) => joinPath(['reactions', key, name]);
  if (count === 0) return [{ operation: 'delete', property: joinPath(['reactions', key]) }];
  const named = recent.filter((userId) => !hidden.has(userId)).map((userId) => identityUri(wire, userId));
  return [
    { operation: 'set', property: property('count'), value: count },
    { operation: 'set', property: property('recent'), value: named },
  ];
}
