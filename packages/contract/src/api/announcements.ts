import Type from 'typebox';
import { ANNOUNCEMENT, ANNOUNCEMENT_INPUT, SENT_ANNOUNCEMENT } from '../examples/announcement.ts';
import { limits } from '../limits.ts';
import { Announcement, AnnouncementInput } from '../records/announcement.ts';
import { ReceiptInput } from '../records/receipt.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operations } from './operation.ts';

const LARGE = 'The request is larger than 1 MB: send the announcement in batches of recipients.';

export const ANNOUNCEMENTS = {
  createAnnouncement: {
    route: 'POST /apps/:app_uuid/announcements',
    docs: 'announcements.md#send-an-announcement',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'Send an announcement',
    kind: 'announcement',
    tooLarge: LARGE,
    tag: 'Announcements',
    description:
      'Sends an announcement. A body of more than 1 MB is refused with 413: send the announcement in batches of recipients. An id that is in use is 409, with the existing announcement in `data`.',
    body: { schema: AnnouncementInput, example: ANNOUNCEMENT_INPUT, required: true },
    success: {
      202: {
        description: 'The announcement is stored and will be delivered to each recipient.',
        body: { schema: Announcement, example: SENT_ANNOUNCEMENT },
      },
    },
    errors: ['not_found', 'missing_property', 'invalid_property', 'invalid_request_id', 'id_in_use'],
    errorData: { id_in_use: Announcement },
  },
  listAnnouncements: {
    route: 'GET /announcements',
    docs: 'announcements.md#read-announcements',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'List announcements',
    kind: 'list',
    tag: 'Announcements',
    description: 'The announcements that the user got and did not delete, newest first.',
    parameters: pageParameters(limits.announcementPage, 'announcements'),
    success: {
      200: {
        description: 'A page of announcements.',
        headers: COUNT_HEADER,
        body: { schema: Type.Array(Announcement), example: [ANNOUNCEMENT] },
      },
    },
    errors: ['invalid_property'],
  },
  getAnnouncement: {
    route: 'GET /announcements/:announcement_id',
    docs: 'announcements.md#read-announcements',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Get an announcement',
    tag: 'Announcements',
    description: 'An announcement that the user got.',
    success: {
      200: { description: 'The announcement.', body: { schema: Announcement, example: ANNOUNCEMENT } },
    },
    errors: ['not_found'],
  },
  deleteAnnouncement: {
    route: 'DELETE /announcements/:announcement_id',
    docs: 'announcements.md#read-announcements',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Delete an announcement',
    tag: 'Announcements',
    description: 'Deletes an announcement for the user alone, on all of their devices.',
    success: { 204: { description: 'The announcement is deleted.' } },
    errors: ['not_found'],
  },
  recordAnnouncementReceipt: {
    route: 'POST /announcements/:announcement_id/receipts',
    docs: 'announcements.md#read-announcements',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Send an announcement receipt',
    tag: 'Announcements',
    description: 'Says that an announcement was delivered or read. A repeat changes nothing.',
    body: { schema: ReceiptInput, example: { type: 'read' }, required: true },
    success: { 204: { description: 'The receipt is recorded.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
} satisfies Operations;
