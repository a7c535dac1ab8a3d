import type { HistoricalArchive, ScheduledArchive } from '../records/export-event.ts';
import { EXAMPLE } from '../schema/ids.ts';
import { SERVER_CONVERSATION } from './conversation.ts';
import { ADA_OF_SERVER } from './identity.ts';
import { SERVER_MESSAGE } from './message.ts';

/** The file of a historical export. */
export const HISTORICAL_ARCHIVE: HistoricalArchive = {
  conversations: [SERVER_CONVERSATION],
  messages: [SERVER_MESSAGE],
};

/** The file of a scheduled export. */
export const SCHEDULED_ARCHIVE: ScheduledArchive = {
  events: [
    {
      event: { id: EXAMPLE.event, type: 'message.sent', created_at: '2026-11-20T20:15:30.123Z' },
      actor: ADA_OF_SERVER,
      message: SERVER_MESSAGE,
    },
  ],
};
