import { renderPlain } from './plain.ts';
import type { Renderer } from './index.ts';

/** A receipt: the message's new status, but for the socket that gave it, and the reader's unread number when it was read. */
export const renderReceipt: Renderer = (rendering, telling) => {
  const { event, recipients } = telling;
  if (event.body.case !== 'receiptRecorded') return;
  const { userId, messageId, type, unreadMessageCount } = event.body.value;
  const told = recipients.map((recipient) => {
    if (recipient.userId !== userId) return recipient;
    return {
      userId,
      sockets: recipient.sockets.filter((socket) => !socket.said?.takeReceipt(messageId, type)),
    };
  });
  renderPlain(rendering, { ...telling, recipients: told });
  if (recipients.some((recipient) => recipient.userId === userId)) {
    rendering.updates.unreadIs(event, userId, unreadMessageCount);
  }
};

/** A message that is gone for everybody: each may have had it unread. */
export const renderMessageDeleted: Renderer = (rendering, telling) => {
  renderPlain(rendering, telling);
  for (const { userId } of telling.recipients) rendering.updates.changed(telling.event, userId);
};

/** A message that is gone for one user. */
export const renderMessageHidden: Renderer = (rendering, telling) => {
  renderPlain(rendering, telling);
  for (const { userId } of telling.recipients) rendering.updates.changed(telling.event, userId);
};
