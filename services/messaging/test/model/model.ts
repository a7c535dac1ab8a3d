import { apply, type Command } from './commands.ts';

export type ModelMessage = {
  id: string;
  position: number;
  sender: string;
  sentAt: number;
  deleted: boolean;
  /** All that it ever said, each since a change. */
  texts: { since: number; text: string }[];
};

/** The state of one user in a conversation. */
export type Standing = {
  periods: { first: number; last: number }[];
  present: boolean;
  leftHead: number;
  leftMessageAt: number;
  /** The last change before they left. */
  leftSeq: number;
  /** The conversation's metadata when they left. */
  leftMetadata: Record<string, string>;
  hiddenUntil: number;
  hidden: Set<number>;
  /** Positions of the time before they were added that they are not shown. */
  unseen: Set<number>;
  /** A time by which the conversation stands in their list, as long as no message comes after `until`. */
  place?: { until: number; at: number } | undefined;
  unlistedAt: number | undefined;
};

export type ModelConversation = {
  id: string;
  createdAt: number;
  metadata: Record<string, string>;
  distinct: boolean;
  deleted: boolean;
  messages: ModelMessage[];
  standings: Map<string, Standing>;
  seq: number;
};

/** A change as users got it; `message` is the message of a message.created. */
export type ReplayedChange = {
  conversation: ModelConversation;
  seq: number;
  at: number;
  kinds: Map<string, string>;
  message?: ModelMessage;
  /** Users whom it removed. */
  removed?: readonly string[];
};

/** The expected conversations: naive sets, computed without increments. */
export type Model = { conversations: ModelConversation[]; log: ReplayedChange[]; now: number };

export function createModel(now: number): Model {
  return { conversations: [], log: [], now };
}

export function present(conversation: ModelConversation): string[] {
  return [...conversation.standings].filter(([, standing]) => standing.present).map(([user]) => user);
}

export function lastMessageAt({ messages, createdAt }: ModelConversation): number {
  return messages.findLast((message) => !message.deleted)?.sentAt ?? createdAt;
}

/** The time by which the conversation of a user who takes part is sorted. */
export function listedAt(conversation: ModelConversation, user: string): number {
  const { place } = conversation.standings.get(user)!;
  return place && place.until >= conversation.messages.length ? place.at : lastMessageAt(conversation);
}

/** Time of the newest message that is neither deleted, nor hidden from the user, nor from before their history. */
export function newestShownAt({ messages, standings, createdAt }: ModelConversation, user: string): number {
  const { hidden, unseen } = standings.get(user)!;
  const isShown = ({ deleted, position }: ModelMessage): boolean =>
    !deleted && !hidden.has(position) && !unseen.has(position);
  return messages.findLast(isShown)?.sentAt ?? createdAt;
}

export function isListed(conversation: ModelConversation, user: string): boolean {
  const standing = conversation.standings.get(user);
  if (!standing || conversation.deleted) return false;
  const { unlistedAt } = standing;
  return (
    unlistedAt === undefined ||
    (standing.present ? conversation.messages.length : standing.leftHead) > unlistedAt
  );
}

export function visibleMessages({ messages, standings }: ModelConversation, user: string): ModelMessage[] {
  const standing = standings.get(user);
  if (!standing) return [];
  const limit = standing.present ? messages.length : standing.leftHead;
  return messages.filter(
    ({ position, deleted }) =>
      !deleted &&
      position <= limit &&
      position > standing.hiddenUntil &&
      !standing.hidden.has(position) &&
      !standing.unseen.has(position),
  );
}

/** None for a former participant. */
export function unreadMessages(conversation: ModelConversation, user: string): ModelMessage[] {
  const { periods = [], present: takesPart = false } = conversation.standings.get(user) ?? {};
  if (!takesPart) return [];
  return visibleMessages(conversation, user).filter(
    ({ position, sender }) =>
      sender !== user && periods.some(({ first, last }) => first <= position && position <= last),
  );
}

export function seenMetadata(
  { metadata, standings }: ModelConversation,
  user: string,
): Record<string, string> {
  const standing = standings.get(user);
  return !standing || standing.present ? metadata : standing.leftMetadata;
}

export function seenText({ standings }: ModelConversation, user: string, { texts }: ModelMessage): string {
  const standing = standings.get(user);
  const until = !standing || standing.present ? Infinity : standing.leftSeq;
  return texts.findLast(({ since }) => since <= until)!.text;
}

export { apply, type Command };
