import Type from 'typebox';
import { ANNOUNCEMENT, ANNOUNCEMENT_INPUT, SENT_ANNOUNCEMENT } from '../examples/announcement.ts';
import { limits } from '../limits.ts';
import { Announcement, AnnouncementInput } from '../records/announcement.ts';
import { ReceiptInput } from '../records/receipt.ts';
import { COUNT_HEADER, pageParameters } from './parameters.ts';
import type { Operations } from './operation.ts';

export const ANNOUNCEMENTS: Operations = {
  'POST /apps/:app_uuid/announcements': {
    id: 'createAnnouncement',
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
  'GET /announcements': {
    id: 'listAnnouncements',
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
  'GET /announcements/:announcement_id': {
    id: 'getAnnouncement',
    tag: 'Announcements',
    description: 'An announcement that the user got.',
    success: {
      200: { description: 'The announcement.', body: { schema: Announcement, example: ANNOUNCEMENT } },
    },
    errors: ['not_found'],
  },
  'DELETE /announcements/:announcement_id': {
    id: 'deleteAnnouncement',
    tag: 'Announcements',
    description: 'Deletes an announcement for the user alone, on all of their devices.',
    success: { 204: { description: 'The announcement is deleted.' } },
    errors: ['not_found'],
  },
  'POST /announcements/:announcement_id/receipts': {
    id: 'recordAnnouncementReceipt',
    tag: 'Announcements',
    description: 'Says that an announcement was delivered or read. A repeat changes nothing.',
    body: { schema: ReceiptInput, example: { type: 'read' }, required: true },
    success: { 204: { description: 'The receipt is recorded.' } },
    errors: ['not_found', 'missing_property', 'invalid_property'],
  },
};
