import type { Policy } from './policy.ts';

/** The expected state of the platform, as plain sets. */
export type Status = 'sent' | 'delivered' | 'read';

export type Message = {
  id: string;
  position: number;
  sender: string;
  deleted: boolean;
  /** The participants when it was sent, and the status for each. */
  statuses: Map<string, Status>;
  /** Users who hid it, and users who blocked its sender when it was sent. */
  hiddenFrom: Set<string>;
  /** By key: when users reacted, by the clock of the conversation, the newest last. */
  reactions: Map<string, Map<string, number>>;
  /** Sent under a shadow restriction. */
  isShadowed: boolean;
};

/** Events of the time when a user was out of the conversation: none of the user's devices got them. */
export type Missed = {
  /** Messages deleted since they were removed; empty for users who are back. */
  deletedSince: Set<string>;
  /** Messages deleted during any absence: a user who comes back gets no packet for them. */
  deleted: Set<string>;
  /** The last status of each of a removed user's own messages, by message and reader, until the next one arrives. */
  statuses: Map<string, Set<Status>>;
};

export type Standing = {
  present: boolean;
  missed: Missed;
  /** Last position that a user who left may see. */
  leftHead: number;
  /** The metadata that a user who left sees. */
  leftMetadata: Record<string, string>;
  /** When they left, by the clock of the conversation; later reactions are not shown to them. */
  leftAt: number;
  /** They were out of the conversation before, so that their devices miss reactions. */
  wasOut: boolean;
  hiddenUntil: number;
  unlistedAt: number | undefined;
};

export type Conversation = {
  id: string;
  deleted: boolean;
  metadata: Record<string, string>;
  messages: Message[];
  standings: Map<string, Standing>;
  /** Counts reactions and departures. */
  clock: number;
  policy: Policy;
};

export type World = {
  users: string[];
  conversations: Conversation[];
  /** Blocked users by the user who blocks them. */
  blocks: Map<string, Set<string>>;
  /** Users under a shadow restriction. */
  shadowed: Set<string>;
};

export function blocksOf({ blocks }: World, owner: string): Set<string> {
  const known = blocks.get(owner) ?? new Set<string>();
  blocks.set(owner, known);
  return known;
}

export function presentIn({ standings }: Conversation): string[] {
  return [...standings].filter(([, { present }]) => present).map(([user]) => user);
}

export function isListed(conversation: Conversation, user: string): boolean {
  const standing = conversation.standings.get(user);
  if (!standing || conversation.deleted) return false;
  const { unlistedAt, present, leftHead } = standing;
  return unlistedAt === undefined || (present ? conversation.messages.length : leftHead) > unlistedAt;
}

export function visibleTo({ messages, standings }: Conversation, user: string): Message[] {
  const standing = standings.get(user);
  if (!standing) return [];
  const limit = standing.present ? messages.length : standing.leftHead;
  return messages.filter(
    ({ deleted, position, hiddenFrom, isShadowed, sender }) =>
      !deleted &&
      (!isShadowed || sender === user) &&
      position <= limit &&
      position > standing.hiddenUntil &&
      !hiddenFrom.has(user),
  );
}

export function isUnread({ sender, statuses }: Message, user: string): boolean {
  return sender !== user && statuses.has(user) && statuses.get(user) !== 'read';
}

/** Whether a message is shown to a user as unread: to none who is out, since they could not read it. */
export function isShownUnread({ standings }: Conversation, message: Message, user: string): boolean {
  return standings.get(user)?.present === true && isUnread(message, user);
}

export function metadataTo({ metadata, standings }: Conversation, user: string): Record<string, string> {
  const standing = standings.get(user);
  return standing && !standing.present ? standing.leftMetadata : metadata;
}

/** Reactions as a user sees them: counts, who reacted last but for users whom they block, and whether they did. */
export function reactionsTo(
  world: World,
  { standings }: Conversation,
  { message, user }: { message: Message; user: string },
) {
  const { present = false, leftAt = 0 } = standings.get(user) ?? {};
  const blocked = blocksOf(world, user);
  const shown = [...message.reactions].flatMap(([key, users]) => {
    const names = [...users].filter(([, at]) => present || at <= leftAt).map(([name]) => name);
    if (names.length === 0) return [];
    const recent = names
      .slice(-3)
      .reverse()
      .filter((name) => !blocked.has(name));
    return [[key, { count: names.length, recent, own: names.includes(user) }] as const];
  });
  return Object.fromEntries(shown);
}
