import { checkContents, type Content } from './contents.ts';
import { checkPushes, type Pushes } from './pushes.ts';
import { checkSilent, type Silent, type SilentSocket } from './silent.ts';

/** A message that the platform acknowledged. */
export type Sent = {
  id: string;
  conversation: string;
  sender: string;
  position: number;
  /** Users to whom it must not be shown: they blocked its sender at the time, or the sender was shadowed. */
  hiddenFrom: readonly string[];
  /** A deletion for all participants was acknowledged. */
  deleted: boolean;
  /** Sent under a shadow restriction: it counts for nobody. */
  shadowed?: boolean;
  /** Milliseconds; when the acknowledgement came. */
  deletedAt?: number;
  /** Time at which the message was sent first. Milliseconds. */
  begunAt?: number;
};

/** The answers that clients got during one round. */
export type History = {
  /** Sent messages, in the order of acknowledgements. */
  sent: Sent[];
  /** Messages, by user, whose read receipt was acknowledged. */
  read: Map<string, Set<string>>;
  /** Users by message and key, as the last acknowledged reaction of each says. Absent: there are none. */
  reacted?: Map<string, Map<string, Set<string>>>;
  /** Announcements that were acknowledged. */
  announced: string[];
  /** Contents whose upload and message were acknowledged. Absent: none are uploaded. */
  contents?: Content[];
  /** The last that happened in conversations of which nothing is heard afterwards. Absent: there are none. */
  silent?: Silent[];
  /** Answers that must not occur. */
  faults: string[];
};

/** A message as a list shows it to a user. */
export type Listed = {
  id: string;
  position: number;
  isUnread: boolean;
  /** Numbers of users by key. */
  reactions?: ReadonlyMap<string, number>;
};

/** The state of the platform afterwards. */
export type Observed = {
  /** Lists by user and conversation: messages, newest first, and the conversation's counts. */
  lists: { user: string; conversation: string; listed: Listed[]; unread: number; total: number }[];
  /** Sockets with their users, and the ids of messages and announcements in the order in which they first arrived. */
  sockets: { user: string; socket: string; messages: string[]; announcements: string[] }[];
  /** Sockets of users whose conversations fall silent. */
  silentSockets?: readonly SilentSocket[];
  /** Ids of announcements, by user. */
  announcements: { user: string; ids: string[] }[];
  /** Notifications `Message.created`: the message, the event's id, and the delivery's. */
  webhooks: { message: string; event: string; delivery: string }[];
  /** Webhooks that became active during the round: the time of the activation, in milliseconds, and the messages of their notifications. */
  activated?: { since: number; messages: ReadonlySet<string> }[];
  /** Ids of the messages in an export. */
  exported: string[];
  /** Absent without devices. */
  pushes?: Pushes;
  /** Contents as they are downloaded. */
  contents?: Content[];
};

/** Describes broken promises; empty when the platform kept all of them. */
export function check(history: History, observed: Observed, members: ReadonlyMap<string, readonly string[]>) {
  return [
    ...history.faults,
    ...repeatedPositions(history.sent),
    ...senderOrder(history.sent),
    ...observed.lists.flatMap((list) => checkList(history, list)),
    ...observed.sockets.flatMap((socket) => checkSocket(history, socket, members)),
    ...observed.announcements.flatMap(({ user, ids }) =>
      sameOnce(`announcements of ${user}`, history.announced, ids),
    ),
    ...checkSilent(history.silent ?? [], observed.silentSockets ?? []),
    ...checkWebhooks(history.sent, observed.webhooks),
    ...(observed.activated ?? []).flatMap((webhook) => checkActivated(history.sent, webhook)),
    ...(observed.pushes ? checkPushes(history, observed.pushes, members) : []),
    ...checkContents(history.contents ?? [], observed.contents ?? []),
    ...sameOnce('the export', idsToExport(history), observed.exported),
  ];
}

/** The messages that an export has. */
export function idsToExport({ sent }: History): string[] {
  return sent.filter(({ deleted }) => !deleted).map(({ id }) => id);
}

/** Each expected id is found once, and no other id. */
function sameOnce(where: string, wanted: readonly string[], found: readonly string[]): string[] {
  const all = new Set(wanted);
  const there = new Set(found);
  return [
    ...wanted.filter((id) => !there.has(id)).map((id) => `${where}: ${id} is lost`),
    ...found.filter((id) => !all.has(id)).map((id) => `${where}: ${id} must not be there`),
    ...(found.length > there.size ? [`${where}: ${found.length - there.size} are there more than once`] : []),
  ];
}

function repeatedPositions(sent: readonly Sent[]): string[] {
  const seen = new Map<string, string>();
  return sent.flatMap(({ conversation, position, id }) => {
    const place = `${conversation}#${position}`;
    const other = seen.get(place);
    seen.set(place, id);
    return other === undefined || other === id ? [] : [`${id} and ${other} have one position, ${place}`];
  });
}

/** A sender's messages have the order in which they were acknowledged. */
function senderOrder(sent: readonly Sent[]): string[] {
  const last = new Map<string, Sent>();
  return sent.flatMap((one) => {
    const key = `${one.sender} ${one.conversation}`;
    const before = last.get(key);
    last.set(key, one);
    return before && before.position >= one.position ? [`${one.id} stands before ${before.id}`] : [];
  });
}

function checkList({ sent, read, reacted }: History, list: Observed['lists'][number]): string[] {
  const { user, conversation, listed } = list;
  const where = `messages of ${conversation}, shown to ${user}`;
  const shown = sent.filter(
    (one) => one.conversation === conversation && !one.deleted && !one.hiddenFrom.includes(user),
  );
  const positions = new Map(shown.map(({ id, position }) => [id, position]));
  const isUnread = ({ id, sender }: Sent) => sender !== user && !read.get(user)?.has(id);
  const counted = shown.filter(({ shadowed }) => !shadowed);
  const unread = new Set(counted.filter(isUnread).map(({ id }) => id));
  const problems = sameOnce(
    where,
    shown.map(({ id }) => id),
    listed.map(({ id }) => id),
  );
  for (const [index, { id, position, isUnread: marked, reactions }] of listed.entries()) {
    const given = reacted?.get(id);
    if (given && reactions) problems.push(...checkReactions(`${where}: ${id}`, given, reactions));
    const newer = listed[index - 1];
    if (newer && newer.position <= position) problems.push(`${where}: ${id} is out of order`);
    if (positions.has(id) && positions.get(id) !== position)
      problems.push(`${where}: ${id} has another position than was acknowledged`);
    if (positions.has(id) && marked !== unread.has(id))
      problems.push(`${where}: ${id} is ${marked ? 'unread' : 'read'}`);
  }
  if (list.unread !== unread.size)
    problems.push(`${where}: ${list.unread} are counted as unread instead of ${unread.size}`);
  if (list.total !== counted.length)
    problems.push(`${where}: ${list.total} are counted instead of ${counted.length}`);
  return problems;
}

function checkReactions(
  where: string,
  given: ReadonlyMap<string, ReadonlySet<string>>,
  shown: ReadonlyMap<string, number>,
): string[] {
  return [...new Set([...given.keys(), ...shown.keys()])].flatMap((key) => {
    const [wanted, found] = [given.get(key)?.size ?? 0, shown.get(key) ?? 0];
    return wanted === found ? [] : [`${where}: ${found} react with ${key} instead of ${wanted}`];
  });
}

function checkSocket(
  { sent, announced }: History,
  { user, socket, messages, announcements }: Observed['sockets'][number],
  members: ReadonlyMap<string, readonly string[]>,
): string[] {
  const came = new Set(messages);
  const told = new Set(announcements);
  const concerns = ({ conversation }: Sent) => members.get(conversation)?.includes(user) ?? false;
  return [
    ...sent
      .filter((one) => concerns(one) && !one.deleted && !one.hiddenFrom.includes(user) && !came.has(one.id))
      .map(({ id }) => `${socket}: ${id} did not come`),
    ...sent
      .filter(({ id, hiddenFrom }) => hiddenFrom.includes(user) && came.has(id))
      .map(({ id }) => `${socket}: ${id} came although it is hidden`),
    ...announced.filter((id) => !told.has(id)).map((id) => `${socket}: announcement ${id} did not come`),
  ];
}

function checkWebhooks(sent: readonly Sent[], webhooks: Observed['webhooks']): string[] {
  const events = new Map<string, Set<string>>();
  const deliveries = new Map<string, Set<string>>();
  for (const { message, event, delivery } of webhooks) {
    events.set(message, (events.get(message) ?? new Set()).add(event));
    deliveries.set(event, (deliveries.get(event) ?? new Set()).add(delivery));
  }
  return [
    ...sent
      .filter(({ id, deleted }) => !deleted && !events.has(id))
      .map(({ id }) => `no webhook told of ${id}`),
    ...[...events].filter(([, { size }]) => size > 1).map(([id]) => `webhooks told of ${id} as two events`),
    ...[...deliveries]
      .filter(([, { size }]) => size > 1)
      .map(([event]) => `the deliveries of event ${event} have more than one id`),
  ];
}

/** A webhook gets what is sent from its activation on. */
function checkActivated(
  sent: readonly Sent[],
  { since, messages }: { since: number; messages: ReadonlySet<string> },
): string[] {
  return sent
    .filter(({ id, begunAt = 0, deleted }) => begunAt > since && !deleted && !messages.has(id))
    .map(
      ({ id, begunAt = 0 }) =>
        `${id} was sent ${begunAt - since} ms after a webhook became active, which was not told`,
    );
}
