import { isEqual, type Change, type Step } from '../records/records.ts';
import { joinKeys } from '../records/paths.ts';
import type { WriteBatch } from '../records/write-batch.ts';
import { conversationWith, placeholder } from './optimistic-view.ts';
import { laneOf, waitsForFiles, type Operation } from '../records/operation.ts';
import { countUnreadAfter } from '../records/unread.ts';

/**
 * Removes the operations that an applied packet confirms. Packets of a lane arrive in order: an earlier operation whose packet has not
 * arrived has none. A replayed conversation may have been read before the platform performed an operation, whose packet then arrives later.
 */
export function confirmByPacket(batch: WriteBatch, change: Change, me: string): void {
  const all = batch.operations();
  if (all.length === 0) return;
  const done = all.filter(({ isDone }) => isDone);
  for (const one of done)
    if (one.action.kind === 'receipt' && isRead(batch, one.action.message)) batch.removeOperation(one.id);
  const lane = all
    .filter((one) => laneOf(one) === change.object.id)
    .sort((one, other) => one.order - other.order);
  if (!('method' in change) && change.operation === 'delete')
    for (const one of lane) if (one.isDone) batch.removeOperation(one.id);
  // The operation being sent may have been performed already.
  const sent = lane.find(({ isDone, error, action }) => !isDone && !error && !waitsForFiles(action));
  const awaited = lane.filter((one) => one.isDone || one === sent);
  for (const confirmed of confirmedBy(awaited, change, me)) {
    if (confirmed === sent) batch.putOperation({ ...confirmed, isHeard: true });
    for (const one of awaited) if (one.isDone && one.order <= confirmed.order) batch.removeOperation(one.id);
  }
}

/** The operations to which the packet belongs: for each step, the first that matches. */
function confirmedBy(awaited: readonly Operation[], change: Change, me: string): Operation[] {
  if ('method' in change) {
    const { identity, position } = change.data;
    const isOf = ({ action }: Operation): boolean =>
      action.kind === 'markAllRead' && identity?.id === me && position >= action.position;
    return change.method === 'Conversation.mark_all_read' ? awaited.filter(isOf) : [];
  }
  const confirmed: Operation[] = [];
  if (change.operation !== 'update') return confirmed;
  for (const step of change.data) {
    const takes = ({ action }: Operation): boolean =>
      action.kind === 'patch' && action.steps.some((own) => isSame(step, own, me));
    const last = confirmed.at(-1);
    if (last && takes(last)) continue;
    const next = awaited.find((one) => !one.isHeard && one.order > (last?.order ?? 0) && takes(one));
    if (next) confirmed.push(next);
  }
  return confirmed;
}

function isRead(batch: WriteBatch, message: string): boolean {
  return !batch.message(message)?.is_unread;
}

function isSame(packet: Step, own: Step, me: string): boolean {
  if (packet.operation !== own.operation || packet.property !== own.property) return false;
  if (own.property !== 'participants') return isEqual(packet.value, own.value);
  return packet.id === placeholder(own.id ?? '', wireOf(me)).id;
}

function wireOf(me: string): { wire: string } {
  return { wire: me.slice(0, me.indexOf(':')) };
}

/** Whether the records already show an operation: its packet has arrived, or none will. */
export function isShown(batch: WriteBatch, operation: Operation, me: string): boolean {
  const { action, isHeard } = operation;
  if (isHeard) return true;
  if (action.kind === 'receipt') return isRead(batch, action.message);
  if (!('conversation' in action)) return true;
  const record = batch.conversation(action.conversation);
  if (!record) return true;
  // An earlier operation whose packet has not arrived shows something else.
  const lane = laneOf(operation);
  if (batch.operations().some((one) => one.isDone && laneOf(one) === lane)) return false;
  if (action.kind === 'markAllRead') {
    const { position } = action;
    const list = batch.messagesOf(record.id);
    const after = countUnreadAfter(record, list, position) ?? -1;
    return (
      record.unread_message_count <= after && !list.some((one) => one.position <= position && one.is_unread)
    );
  }
  const shown = conversationWith(record, action, { me, ...wireOf(me) });
  return isEqual(shown, record);
}

/** Whether a packet creates a whole conversation or deletes it. */
export function bringsOrRemoves(change: Change, conversation: string): boolean {
  return change.object.id === conversation && !('method' in change) && change.operation !== 'update';
}

/** Whether a packet brings a message, takes it away, or changes its `parts` or `metadata`. */
export function changesMessage(change: Change, message: string, what: 'parts' | 'metadata'): boolean {
  if ('method' in change || !change.object.id.startsWith(message)) return false;
  if (change.operation !== 'update' || change.object.type === 'MessagePart') return true;
  return change.data.some(({ property }) => property.startsWith(what));
}

/** Whether a packet says if the user now reacts with a key; it also does if it says that nobody reacts with it. */
export function changesOwnReaction(change: Change, message: string, key: string): boolean {
  if ('method' in change || change.object.id !== message) return false;
  if (change.operation !== 'update') return true;
  const path = joinKeys(['reactions', key]);
  const own = joinKeys(['reactions', key, 'own']);
  return change.data.some(
    ({ operation, property }) => property === own || (property === path && operation === 'delete'),
  );
}
