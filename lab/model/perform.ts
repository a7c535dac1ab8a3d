import type { Conversation, Message } from '@parley/client';
import { uuidOf, type TestApp } from '../../test/support/app.ts';
import type { Device } from './device.ts';
import type { Step } from './steps.ts';

/** The surroundings of a step. */
type Place = {
  readonly app: TestApp;
  readonly device: Device;
  readonly users: readonly string[];
  readonly step: Step;
  readonly name: string;
};

/** Does one step. What the platform refuses is an event, not a failure. */
export async function perform(place: Place): Promise<void> {
  const { device, step } = place;
  await device.client.ready;
  const { items } = device.client.conversations().getSnapshot();
  const conversation = items[step.conversation % Math.max(1, items.length)];
  if (happen(place)) return;
  if (step.kind === 'reload') return device.reload();
  if (step.kind === 'create' || step.kind === 'createDistinct') return create(place);
  try {
    if (step.kind === 'announce') await announce(place);
    else if (!(await actAlone(place)) && conversation) await act(place, conversation);
  } catch (error) {
    // A page cannot be read while the network is away, and a message may be gone.
    // By its name, since the library may be of another version.
    if (!(error instanceof Error) || error.name !== 'ParleyError') throw error;
  }
}

/** Steps that happen to the device. */
function happen({ device: { proxy, client }, step: { kind, which } }: Place): boolean {
  if (kind === 'cut') proxy.cut();
  else if (kind === 'truncate') proxy.truncateAfter(which * 40);
  else if (kind === 'delay') proxy.delay(which > 50 ? 0 : which * 2);
  else if (kind === 'refuse') proxy.refuse(which % 3 === 0);
  else if (kind === 'offline') client.disconnect();
  else if (kind === 'online') client.connect();
  else return false;
  return true;
}

async function create({ device, users, step: { kind, which } }: Place): Promise<void> {
  const others = users.filter((_, index) => (which >> index) % 2 === 0);
  await device.client.createConversation({ participants: others, distinct: kind === 'createDistinct' });
}

/** A server announces to some of the users. It is no failure if the gateway is not there. */
async function announce({ app, users, step: { which }, name }: Place): Promise<void> {
  const [sender_id = ''] = users;
  const recipients = users.filter((_, index) => (which >> index) % 2 === 0);
  const parts = [{ mime_type: 'text/plain', body: `announced ${name}` }];
  if (recipients.length === 0) return;
  await app
    .server('POST', '/announcements', 202, { body: { recipients, sender_id, parts } })
    .catch(() => undefined);
}

/** Performs a step of the device outside of conversations. Returns false for any other step. */
async function actAlone({ device, users, step: { kind, which } }: Place): Promise<boolean> {
  const { client } = device;
  const other = users[which % users.length] ?? '';
  const { items } = device.announcements().getSnapshot();
  const announcement = items[which % Math.max(1, items.length)];
  if (kind === 'block') {
    if (other === device.userId) return true;
    device.blocked.add(other);
    await client.blocks.add(other);
  } else if (kind === 'unblock') await client.blocks.remove(other);
  else if (kind === 'readAnnouncement') {
    if (announcement) await client.markAnnouncementRead(announcement.id);
  } else if (kind === 'deleteAnnouncement') {
    if (announcement) await client.deleteAnnouncement(announcement.id);
  } else return false;
  return true;
}

async function act({ device, users, step, name }: Place, conversation: Conversation): Promise<unknown> {
  const { kind, which } = step;
  const { id } = conversation;
  const { items } = device.messages(id).getSnapshot();
  const message = items[which % Math.max(1, items.length)];
  const other = users[which % users.length] ?? '';
  if (kind === 'hide' || kind === 'hideMessage') device.hid.add(conversation.id);
  switch (kind) {
    case 'send':
      return conversation.send(`${device.userId} ${name}`);
    case 'upload':
      return device.upload(conversation.id, `${device.userId} ${name}`);
    case 'sendFile': {
      // An earlier version of the library.
      if (!('reads' in conversation)) return device.upload(id, `${device.userId} ${name}`);
      const file = new File([`${device.userId} ${name}`], `${name}.png`, { type: 'image/png' });
      return conversation.send({ ...(which % 2 === 0 && { text: `file ${name}` }), files: [file] });
    }
    case 'deliverAll': {
      const path = `/conversations/${uuidOf(conversation.id)}/mark_all_delivered`;
      return device.client.request('POST', path, { body: { position: message?.position ?? null } });
    }
    case 'markRead':
      return conversation.markRead(which % 3 === 0 ? message : undefined);
    case 'setMetadata':
      return conversation.setMetadata([which % 2 === 0 ? 'a' : 'b.c'], name);
    case 'deleteMetadata':
      return conversation.deleteMetadata(which % 2 === 0 ? ['a'] : []);
    case 'add':
      return conversation.addParticipants([other]);
    case 'remove':
      return conversation.removeParticipants([other]);
    case 'leave':
      return conversation.leave();
    case 'hide':
      return conversation.delete();
    case 'deleteForAll':
      return which % 4 === 0 ? conversation.delete({ mode: 'all_participants' }) : undefined;
    case 'loadOlder':
      return device.messages(conversation.id).loadOlder();
    default:
      return message && actOn(message, step, name);
  }
}

async function actOn(message: Message, { kind, which }: Step, name: string): Promise<unknown> {
  switch (kind) {
    case 'readOne':
      return which % 2 === 0 ? message.markRead() : message.markDelivered();
    case 'hideMessage':
      return message.state === 'sent' ? message.delete() : undefined;
    case 'deleteMessage':
      return message.state === 'sent' && message.isOwn ? message.delete('all_participants') : undefined;
    case 'edit':
      if (!message.isOwn || message.state !== 'sent') return undefined;
      if (which % 3 === 0) return message.addPart({ mime_type: 'text/plain', body: `added ${name}` });
      return message.edit(`edited ${name}`);
    default:
      return undefined;
  }
}
