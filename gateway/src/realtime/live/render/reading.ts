import { renderPlain } from './plain.ts';
import type { RenderContext, AddressedEvent } from './context.ts';

/** A receipt: the message's new status for all sockets but the one that sent the receipt, and the reader's unread count. */
export function renderReceipt(context: RenderContext, addressed: AddressedEvent): void | Promise<void> {
  const { event, recipients } = addressed;
  if (event.body.case !== 'receiptRecorded') return;
  const { userId, messageId, type, unreadMessageCount } = event.body.value;
  const others = recipients.map((recipient) => {
    if (recipient.userId !== userId) return recipient;
    return {
      userId,
      sockets: recipient.sockets.filter((socket) => !socket.ownRequests?.takeReceipt(messageId, type)),
    };
  });
  renderPlain(context, { ...addressed, recipients: others });
  if (recipients.some((recipient) => recipient.userId === userId)) {
    context.updates.unreadIs(event, userId, unreadMessageCount);
  }
}

/** A message deleted for all: any recipient may have had it unread. */
export function renderMessageDeleted(
  context: RenderContext,
  addressed: AddressedEvent,
): void | Promise<void> {
  renderPlain(context, addressed);
  for (const { userId } of addressed.recipients) context.updates.changed(addressed.event, userId);
}

/** A message deleted for one user. */
export function renderMessageHidden(context: RenderContext, addressed: AddressedEvent): void | Promise<void> {
  renderPlain(context, addressed);
  for (const { userId } of addressed.recipients) context.updates.changed(addressed.event, userId);
}
