import type { ScheduledMessage } from '../records/scheduled-message.ts';
import { SERVER_MESSAGE } from './message.ts';

/** Ada's message before it is sent. */
export const SCHEDULED_MESSAGE: ScheduledMessage = {
  id: SERVER_MESSAGE.id,
  url: SERVER_MESSAGE.url.replace('/messages/', '/scheduled_messages/'),
  conversation: SERVER_MESSAGE.conversation,
  sender: SERVER_MESSAGE.sender,
  parts: SERVER_MESSAGE.parts,
  notification: null,
  created_at: '2026-11-20T20:15:22.623Z',
  send_at: '2026-11-20T20:15:30.123Z',
  typing_indicator_at: '2026-11-20T20:15:26.823Z',
};
