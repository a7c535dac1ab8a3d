import type { History, Sent } from './history.ts';

/** A request to the push service. */
export type Push = {
  device: string;
  message: string;
  /** While the device is away, the push service keeps the newest push of a topic. */
  topic: string;
  /** The device shows one notification of a tag. */
  tag: string;
  /** The push service did not refuse it. */
  isTaken: boolean;
  /** Milliseconds. */
  at: number;
};

/** Pushes to devices that are registered all the time. */
export type Pushes = {
  devices: { user: string; device: string }[];
  requests: Push[];
  /** Requests that broke a rule of Web Push. */
  faults: string[];
};

type Members = ReadonlyMap<string, readonly string[]>;

/**
 * A push that was checked before the deletion of its message may be sent after it, by a process that stood still. The delays before the
 * third and later attempts are longer.
 */
const ON_ITS_WAY_MS = 11_000;

/** Describes pushes that are missing, that must not have been sent, and that a device shows as two or not at all. */
export function checkPushes(history: History, pushes: Pushes, members: Members): string[] {
  const ofDevice = Map.groupBy(pushes.requests, ({ device }) => device);
  return [
    ...pushes.devices.flatMap(({ user, device }) => {
      const requests = ofDevice.get(device) ?? [];
      const due = history.sent.filter((one) => isFor(one, user, members));
      return [
        ...missing(history, user, { due, requests }),
        ...unwanted(due, requests),
        ...mistaken(requests, 'topic'),
        ...mistaken(requests, 'tag'),
      ].map((problem) => `${device}: ${problem}`);
    }),
    ...pushes.faults.map((fault) => `the push service: ${fault}`),
  ];
}

function isFor({ conversation, sender, hiddenFrom }: Sent, user: string, members: Members): boolean {
  const takesPart = members.get(conversation)?.includes(user) ?? false;
  return takesPart && sender !== user && !hiddenFrom.includes(user);
}

/** The messages that concern a user, and the pushes to the user's device. */
type OfDevice = { due: readonly Sent[]; requests: readonly Push[] };

/**
 * A push is not sent any more once its message is deleted or read, or its sender blocked: of a sender whom the user blocks every now
 * and then, any push may have come too late.
 */
function missing({ sent, read }: History, user: string, { due, requests }: OfDevice): string[] {
  const taken = new Set(requests.filter(({ isTaken }) => isTaken).map(({ message }) => message));
  const blocked = new Set(sent.filter((one) => one.hiddenFrom.includes(user)).map(({ sender }) => sender));
  return due
    .filter(({ id, sender, deleted }) => !deleted && !read.get(user)?.has(id) && !blocked.has(sender))
    .filter(({ id }) => !taken.has(id))
    .map(({ id }) => `${id} was not pushed`);
}

function unwanted(due: readonly Sent[], requests: readonly Push[]): string[] {
  const known = new Map(due.map((one) => [one.id, one]));
  return requests.flatMap(({ message, at }) => {
    const sent = known.get(message);
    if (!sent) return [`${message} must not be pushed`];
    const late = at - (sent.deletedAt ?? Infinity);
    return late > ON_ITS_WAY_MS ? [`${message} was pushed ${late} ms after its deletion`] : [];
  });
}

/** Pushes of a message have one identity, and no other message has it. */
function mistaken(requests: readonly Push[], identity: 'topic' | 'tag'): string[] {
  const pairs = new Map(requests.map((one) => [`${one.message} ${one[identity]}`, one]));
  const repeated = (by: 'message' | typeof identity) =>
    [...Map.groupBy(pairs.values(), (one) => one[by])].filter(([, { length }]) => length > 1);
  return [
    ...repeated('message').map(([message]) => `the pushes of ${message} have more than one ${identity}`),
    ...repeated(identity).map(([value]) => `pushes of several messages have the ${identity} ${value}`),
  ];
}
