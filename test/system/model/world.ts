/** What the platform should hold, as plain sets. */
export type Message = {
  id: string;
  position: number;
  sender: string;
  deleted: boolean;
  /** Who took part when it was sent, and what each has done with it. */
  statuses: Map<string, 'sent' | 'delivered' | 'read'>;
  hiddenFrom: Set<string>;
};

export type Standing = {
  present: boolean;
  /** They were not told what happened while they were away. */
  hasLeft: boolean;
  /** Last position that somebody who left may see. */
  leftHead: number;
  hiddenUntil: number;
  unlistedAt: number | undefined;
};

export type Conversation = {
  id: string;
  deleted: boolean;
  metadata: Record<string, string>;
  messages: Message[];
  standings: Map<string, Standing>;
};

export type World = { users: string[]; conversations: Conversation[] };

export const presentIn = ({ standings }: Conversation): string[] =>
  [...standings].filter(([, { present }]) => present).map(([user]) => user);

export const isListed = (conversation: Conversation, user: string): boolean => {
  const standing = conversation.standings.get(user);
  if (!standing || conversation.deleted) return false;
  const { unlistedAt, present, leftHead } = standing;
  return unlistedAt === undefined || (present ? conversation.messages.length : leftHead) > unlistedAt;
};

export const visibleTo = ({ messages, standings }: Conversation, user: string): Message[] => {
  const standing = standings.get(user);
  if (!standing) return [];
  const limit = standing.present ? messages.length : standing.leftHead;
  return messages.filter(
    ({ deleted, position, hiddenFrom }) =>
      !deleted && position <= limit && position > standing.hiddenUntil && !hiddenFrom.has(user),
  );
};

export const isUnread = ({ sender, statuses }: Message, user: string): boolean =>
  sender !== user && statuses.has(user) && statuses.get(user) !== 'read';

export const join = ({ standings }: Conversation, user: string): void => {
  const hiddenUntil = standings.get(user)?.hiddenUntil ?? 0;
  const hasLeft = standings.has(user);
  standings.set(user, { present: true, hasLeft, leftHead: 0, hiddenUntil, unlistedAt: undefined });
};

export const leave = ({ standings, messages }: Conversation, user: string): void => {
  const standing = standings.get(user);
  if (standing) Object.assign(standing, { present: false, hasLeft: true, leftHead: messages.length });
};
