import * as fc from 'fast-check';
import type { Message } from '@parley/contract/gen/records';
import { createPacketsDuringRequest } from '../../src/sync/packets-during-request.ts';
import type { Change, Step } from '../../src/records/records.ts';
import {
  CONVERSATION,
  conversationCreated,
  conversationUpdated,
  ME,
  messageAt,
  messageCreated,
  testRecords,
  type TestRecords,
} from '../sync/records.ts';
import { applyConfirmed } from '../../src/pending/confirm.ts';
import type { Action, Operation } from '../../src/records/operation.ts';
import { conversationShown, lanesOf, messageShown } from '../../src/pending/optimistic-view.ts';

/** Events that may happen next: at the platform, between it and the device, or by the user of the device. */
const EVENTS = [
  // Another user writes, another device of the user reads, or changes the topic.
  ...(['write', 'write', 'readElsewhere', 'setTopicElsewhere'] as const),
  // The gateway gets an event and pushes its packet, or pushes a count; a packet arrives at the device.
  ...(['push', 'push', 'push', 'count', 'countAhead', 'deliver', 'deliver', 'deliver', 'deliver'] as const),
  ...(['readOne', 'readOne', 'readAll', 'send', 'setTopic', 'add', 'remove'] as const),
  // The platform performs what is to be sent next; its answer arrives.
  ...(['perform', 'perform', 'perform', 'answer', 'answer', 'answer'] as const),
] as const;
/** Events that may happen while a replay repeats the conversation, whose messages a device then reads anew. */
const REPLAY_EVENTS = [
  ...(['replay', 'setTopicElsewhere', 'push', 'push', 'deliver', 'deliver', 'deliver'] as const),
  ...(['setTopic', 'add', 'remove', 'perform', 'perform', 'answer', 'answer'] as const),
] as const;
export type Event = (typeof EVENTS)[number] | (typeof REPLAY_EVENTS)[number];

export const EVE = 'svc:///identities/eve';
const VIEWER = { me: ME, wire: 'svc', self: identity('ada') };

function set(property: string, value: unknown): Step {
  return { operation: 'set', property, value };
}

function identity(user_id: string) {
  const id = `svc:///identities/${user_id}`;
  return { id, url: 'https://chat', user_id, display_name: user_id, avatar_url: null };
}

/** The state of the conversation that a gateway, or the database, has seen. */
type Seen = { newest: number; unread: Set<number> };
/** An event that the gateway has not seen yet. */
type Queued = {
  change: Change;
  isMessage: boolean;
  isOwn: boolean;
  position: number;
  apply: (seen: Seen) => void;
};

type Request = {
  operation: Operation;
  readonly reading: ReturnType<ReturnType<typeof createPacketsDuringRequest>['begin']>;
  answer?: Message;
  isDone: boolean;
};

/** One conversation at the platform, and on a device with an arbitrary network. */
export class World {
  readonly records: TestRecords;
  readonly packetsDuringRequest = createPacketsDuringRequest();
  readonly database: Seen = { newest: 0, unread: new Set() };
  readonly gateway: Seen = { newest: 0, unread: new Set() };
  readonly events: Queued[] = [];
  /** Packets on their way, each with the newest message that it tells of. */
  readonly socket: { change: Change; newest: number }[] = [];
  /** Topics in the order in which the platform took them, and those that were shown. */
  readonly topics: string[] = [];
  readonly topicsShown: string[] = [];
  isUpdateDue: { withLast: boolean } | undefined;
  members = new Set(['ada', 'grace']);
  request: Request | undefined;
  order = 0;
  /** The newest message of which the device has heard, by itself or in a count. */
  heard = 0;
  /** Whether the user wants Eve to take part. */
  wantsEve = false;

  constructor(records: TestRecords) {
    this.records = records;
  }

  get lane(): readonly Operation[] {
    return lanesOf(this.records.inMemory).get(CONVERSATION) ?? [];
  }
  shown() {
    const { record } = conversationShown(this.records.inMemory, CONVERSATION, this.lane, VIEWER)!;
    const list = this.records.inMemory.lists.get(CONVERSATION) ?? [];
    const unread = list.filter((one) => messageShown(one, this.lane, VIEWER)?.is_unread);
    return { record, unread };
  }

  /** The platform does something; its event is on the way to the gateway. */
  commit(change: Change, apply: (seen: Seen) => void, more: Partial<Queued> = {}): void {
    apply(this.database);
    this.events.push({ change, isMessage: false, isOwn: false, position: 0, apply, ...more });
  }
  write(more: Partial<Message> = {}): Message {
    const position = this.database.newest + 1;
    const message = messageAt(position, more);
    const apply = (seen: Seen): void => {
      seen.newest = position;
      if (message.is_unread) seen.unread.add(position);
    };
    this.commit(messageCreated(message), apply, { isMessage: true, position });
    return message;
  }
  read(position: number): void {
    if (!this.database.unread.has(position)) return;
    const id = messageAt(position).id;
    const change: Change = {
      operation: 'update',
      object: { type: 'Message', id },
      data: [set(`recipient_status.${ME}`, 'read')],
    };
    this.commit(change, ({ unread }) => unread.delete(position), { isOwn: true });
  }
  readAll(position: number): void {
    const read = [...this.database.unread].filter((one) => one <= position);
    if (read.length === 0) return;
    const object = { type: 'Conversation', id: CONVERSATION };
    const data = { position, identity: identity('ada') };
    const apply = ({ unread }: Seen): void => read.forEach((one) => unread.delete(one));
    this.commit({ method: 'Conversation.mark_all_read', object, data }, apply, { isOwn: true });
  }
  setTopic(value: string): void {
    this.topics.push(value);
    this.commit(conversationUpdated(set('metadata.topic', value)), () => undefined);
  }
  change(operation: 'add' | 'remove'): void {
    if (this.members.has('eve') === (operation === 'add')) return;
    if (operation === 'add') this.members.add('eve');
    else this.members.delete('eve');
    const value = operation === 'add' ? { value: identity('eve') } : {};
    const step = { operation, property: 'participants', id: EVE, ...value };
    this.commit(conversationUpdated(step), () => undefined);
  }

  /** Once: what was fetched is known already when its event comes. */
  see(event: Queued): void {
    event.apply(this.gateway);
    event.apply = () => undefined;
  }
  push(): void {
    const next = this.events.shift();
    if (!next) return;
    this.see(next);
    this.socket.push({ change: next.change, newest: next.position });
    const { isMessage, isOwn } = next;
    if (isMessage || isOwn)
      this.isUpdateDue = { withLast: isMessage || (this.isUpdateDue?.withLast ?? false) };
  }
  /** `isAhead`: the number is fetched, and counts messages whose events have not come yet. */
  count({ isAhead }: { isAhead: boolean }): void {
    const due = this.isUpdateDue;
    if (!due) return;
    if (isAhead && due.withLast && this.events.every(({ isOwn }) => !isOwn))
      for (const event of this.events) this.see(event);
    const { newest, unread } = this.gateway;
    const last = { operation: 'set' as const, property: 'last_message', id: messageAt(newest).id };
    const count = set('unread_message_count', unread.size);
    this.socket.push({ change: conversationUpdated(...(due.withLast ? [last] : []), count), newest });
    this.isUpdateDue = undefined;
  }

  /** Repeats the conversation with all that is committed and pushed; what is performed until the packet arrives is not in it. */
  replay(): void {
    if (this.events.length > 0 || this.isUpdateDue) return;
    const { newest, unread } = this.gateway;
    const last = newest > 0 ? { ...messageAt(newest), is_unread: unread.has(newest) } : null;
    const change = conversationCreated(last, unread.size) as Extract<Change, { operation: 'create' }>;
    const metadata = this.topics.length > 0 ? { topic: this.topics.at(-1) } : {};
    Object.assign(change.data as object, { participants: [...this.members].map(identity), metadata });
    this.socket.push({ change, newest });
  }

  async act(action: Action): Promise<void> {
    const order = ++this.order;
    await this.records.change((batch) => batch.putOperation({ id: `operation ${order}`, order, action }));
  }
  perform(): void {
    const operation = this.lane.find(({ isDone }) => !isDone);
    if (this.request || !operation) return;
    this.request = { operation, reading: this.packetsDuringRequest.begin(), isDone: false };
  }
  performAtPlatform(): void {
    const { request } = this;
    if (!request || request.isDone) return;
    request.isDone = true;
    const { action } = request.operation;
    if (action.kind === 'receipt') this.read(Number(action.message.split('/').at(-1)));
    else if (action.kind === 'markAllRead') this.readAll(action.position);
    else if (action.kind === 'send') this.nameAnswer(request, this.write(OWN));
    else if (action.kind === 'patch')
      for (const step of action.steps as Step[])
        if (step.property === 'participants') this.change(step.operation as 'add' | 'remove');
        else this.setTopic(step.value as string);
  }
  /** The id that the device made. */
  nameAnswer(request: Request, answer: Message): void {
    const action = { ...request.operation.action, message: answer.id } as Action;
    Object.assign(request, { answer, operation: { ...request.operation, action } });
  }
  async answer(): Promise<void> {
    const { request } = this;
    if (!request?.isDone) return;
    const { operation, reading } = request;
    await this.records.change(async (batch) => {
      await batch.prefetch([], [CONVERSATION]);
      const isHeard = batch.operation(operation.id)?.isHeard;
      batch.removeOperation(operation.id);
      applyConfirmed({ me: ME, packetsDuringRequest: this.packetsDuringRequest }, batch, {
        operation: { ...operation, ...(isHeard && { isHeard }) },
        answer: request.answer,
        since: reading.since(),
      });
    });
    reading.end();
    this.request = undefined;
  }
  async deliver(): Promise<void> {
    const packet = this.socket.shift();
    if (!packet) return;
    const { change, newest } = packet;
    this.heard = Math.max(this.heard, newest);
    await this.records.apply(change);
    this.packetsDuringRequest.add([{ change, timestamp: '' }]);
  }
}

const OWN: Partial<Message> = { sender: identity('ada'), is_unread: false };

export async function happen(world: World, event: Event, which: number): Promise<void> {
  const { record, unread } = world.shown();
  const one = unread[which % Math.max(1, unread.length)];
  const conversation = CONVERSATION;
  const patch = (step: Step) => world.act({ kind: 'patch', conversation, steps: [step] as never });
  switch (event) {
    case 'write':
      world.write();
      return;
    case 'readElsewhere':
      return world.read([...world.database.unread][which % Math.max(1, world.database.unread.size)] ?? 0);
    case 'setTopicElsewhere':
      return world.setTopic(`${which} elsewhere ${world.topics.length}`);
    case 'replay':
      return world.replay();
    case 'push':
      return world.push();
    case 'count':
      return world.count({ isAhead: false });
    case 'countAhead':
      return world.count({ isAhead: true });
    case 'deliver':
      return world.deliver();
    case 'readOne':
      if (one) await world.act({ kind: 'receipt', conversation, message: one.id, type: 'read' });
      return;
    case 'readAll':
      if (record.last_message && record.unread_message_count > 0)
        await world.act({ kind: 'markAllRead', conversation, position: record.last_message.position });
      return;
    case 'send':
      return world.act({ kind: 'send', conversation, message: 'svc:///messages/own', parts: [] });
    case 'setTopic':
      return patch(set('metadata.topic', `own ${world.order}`));
    case 'add':
    case 'remove':
      world.wantsEve = event === 'add';
      return patch({ operation: event, property: 'participants', id: 'eve' });
    case 'perform':
      world.perform();
      return which % 3 === 0 ? undefined : world.performAtPlatform();
    case 'answer':
      world.performAtPlatform();
      return world.answer();
  }
}

function scenarioOf(events: readonly Event[]) {
  return fc.array(fc.tuple(fc.constantFrom(...events), fc.nat(20)), { minLength: 20, maxLength: 60 });
}

export const scenario = scenarioOf(EVENTS);
export const replayScenario = scenarioOf(REPLAY_EVENTS);

export async function newWorld(): Promise<World> {
  const records = await testRecords();
  await records.apply(conversationCreated());
  records.inMemory.lists.set(CONVERSATION, []);
  return new World(records);
}
