import type { ReactionSummary } from '@parley/contract/gen/records';
import type { Message } from './records.ts';

/** The reactions to a message, by key. */
export type Reactions = Readonly<Record<string, ReactionSummary>>;

/** Users whom a message names for each key. */
const MOST_NAMED = 3;

/** A change that a user makes to their own reactions. `isNewer`: whether the message shows something newer of the user and a key. */
export type OwnReaction = {
  readonly key: string;
  readonly isGiven: boolean;
  readonly replace?: boolean;
  readonly isNewer?: (key: string) => boolean;
};

/** A message with what the user, by the URI of their identity, does to their own reactions. Nothing changes the second time. */
export function withOwnReaction(message: Message, own: OwnReaction, me: string): Message {
  const { key, isGiven, replace = false, isNewer = () => false } = own;
  const before = message.reactions ?? {};
  const others = replace ? Object.keys(before).filter((one) => one !== key && !isNewer(one)) : [];
  const ended = others.reduce((one, other) => withoutOwn(one, other, me), before);
  const after = isNewer(key) ? ended : isGiven ? withOwn(ended, key, me) : withoutOwn(ended, key, me);
  return after === before ? message : withoutEmpty({ ...message, reactions: { ...after } });
}

/** Metadata and reactions are absent when they are empty. */
export function withoutEmpty({ metadata, reactions, ...rest }: Message): Message {
  return { ...rest, ...(hasKeys(metadata) && { metadata }), ...(hasKeys(reactions) && { reactions }) };
}

function hasKeys<T extends object>(value: T | undefined): value is T {
  return value !== undefined && Object.keys(value).length > 0;
}

function summaryOf(reactions: Reactions, key: string): ReactionSummary | undefined {
  return Object.hasOwn(reactions, key) ? reactions[key] : undefined;
}

function withOwn(reactions: Reactions, key: string, me: string): Reactions {
  const known = summaryOf(reactions, key);
  if (known?.own) return reactions;
  const { count = 0, recent = [] } = known ?? {};
  const named = [me, ...recent.filter((id) => id !== me)].slice(0, MOST_NAMED);
  return { ...reactions, [key]: { count: count + 1, recent: named, own: true } };
}

function withoutOwn(reactions: Reactions, key: string, me: string): Reactions {
  const known = summaryOf(reactions, key);
  if (!known?.own) return reactions;
  const { [key]: _gone, ...rest } = reactions;
  if (known.count <= 1) return rest;
  const recent = known.recent.filter((id) => id !== me);
  return { ...reactions, [key]: { count: known.count - 1, recent } };
}
