import {
  blocksOf,
  presentIn,
  type Conversation,
  type Message,
  type Missed,
  type Standing,
  type Status,
  type World,
} from './world.ts';

function nothingMissed(): Missed {
  return {
    deletedSince: new Set(),
    deleted: new Set(),
    statuses: new Map(),
  };
}

/** `blocked`: whom the user blocks. What they sent while the user was away, or before the user first came, is withheld. */
export function join(
  { standings, messages }: Conversation,
  user: string,
  blocked: ReadonlySet<string> = new Set(),
): void {
  const { hiddenUntil = 0, leftHead: left = 0, missed = nothingMissed() } = standings.get(user) ?? {};
  for (const { position, sender, hiddenFrom } of messages)
    if (position > Math.max(left, hiddenUntil) && blocked.has(sender)) hiddenFrom.add(user);
  missed.deletedSince.clear();
  standings.set(user, {
    present: true,
    missed,
    leftHead: 0,
    leftMetadata: {},
    leftAt: 0,
    wasOut: standings.has(user),
    hiddenUntil,
    unlistedAt: undefined,
  });
}

export function leave(conversation: Conversation, user: string): void {
  const { standings, messages, metadata } = conversation;
  const standing = standings.get(user);
  if (!standing) return;
  conversation.clock += 1;
  conversation.policy.roles.delete(user);
  Object.assign(standing, {
    present: false,
    leftHead: messages.length,
    leftMetadata: { ...metadata },
    leftAt: conversation.clock,
  });
}

export type Reacting = { user: string; key: string; isGiven: boolean; replace: boolean };

export function react(
  conversation: Conversation,
  { reactions }: Message,
  { user, key, isGiven, replace }: Reacting,
): void {
  conversation.clock += 1;
  for (const [other, users] of reactions) {
    const isEnded = other === key ? !isGiven : isGiven && replace;
    if (isEnded) users.delete(user);
    if (users.size === 0) reactions.delete(other);
  }
  if (!isGiven) return;
  const users = reactions.get(key) ?? new Map<string, number>();
  reactions.set(key, users);
  if (!users.has(user)) users.set(user, conversation.clock);
}

function absent({ standings }: Conversation): Standing[] {
  return [...standings.values()].filter(({ present }) => !present);
}

export function setMetadata(conversation: Conversation, value: string): void {
  conversation.metadata['key'] = value;
}

export function deleteMessage(conversation: Conversation, message: Message): void {
  message.deleted = true;
  for (const { missed } of absent(conversation)) {
    missed.deletedSince.add(message.id);
    missed.deleted.add(message.id);
  }
}

export function statusKey({ id }: Message, reader: string): string {
  return `${id} ${reader}`;
}

export function setStatus(
  { standings }: Conversation,
  message: Message,
  { reader, status }: { reader: string; status: Status },
): void {
  const before = message.statuses.get(reader);
  message.statuses.set(reader, status);
  const sender = standings.get(message.sender);
  const key = statusKey(message, reader);
  if (!sender || before === undefined) return;
  if (sender.present) return void sender.missed.statuses.delete(key);
  const possible = sender.missed.statuses.get(key) ?? new Set([before]);
  sender.missed.statuses.set(key, possible.add(status));
}

export function addMessage(
  world: World,
  conversation: Conversation,
  { id, position, sender }: { id: string; position: number; sender: string },
): void {
  const present = presentIn(conversation);
  const isShadowed = world.shadowed.has(sender);
  const statuses = new Map<string, Status>(present.map((one) => [one, 'sent']));
  statuses.set(sender, 'read');
  const hiddenFrom = new Set(present.filter((one) => blocksOf(world, one).has(sender)));
  for (const one of isShadowed ? present.filter((name) => name !== sender) : hiddenFrom) {
    // It makes no hidden conversation visible again.
    const standing = conversation.standings.get(one);
    if (standing?.unlistedAt === position - 1) standing.unlistedAt = position;
  }
  conversation.messages.push({
    id,
    position,
    sender,
    deleted: false,
    statuses,
    hiddenFrom,
    reactions: new Map(),
    isShadowed,
  });
}

export function hide(conversation: Conversation, user: string, leaves: boolean): void {
  const standing = conversation.standings.get(user)!;
  const until = standing.present ? conversation.messages.length : standing.leftHead;
  standing.hiddenUntil = until;
  standing.unlistedAt = until;
  if (leaves && standing.present) leave(conversation, user);
}
