import type { Event } from '@parley/proto/parley/event/v1/event_pb';
import { ReceiptType } from '@parley/proto/parley/messaging/v1/message_pb';
import { escapeDots } from '../../metadata/dotted-path.ts';
import { identityUri } from '../../ids.ts';
import { announcementReference, receivedAnnouncementJson } from '../announcement.ts';
import type { ChangeBody, ChangeObject } from '../change.ts';
import type { View } from '../view.ts';

type Body = Extract<
  Event['body'],
  { case: 'announcementReceived' | 'announcementReceiptRecorded' | 'announcementDeleted' }
>;

export function announcementChange(view: View, body: Body): ChangeBody[] {
  const object: ChangeObject = {
    type: 'Announcement',
    ...announcementReference(view, body.value.announcementId),
  };
  switch (body.case) {
    case 'announcementReceived': {
      const { received } = body.value;
      return received
        ? [{ operation: 'create', object, data: receivedAnnouncementJson(view, received) }]
        : [];
    }
    case 'announcementReceiptRecorded': {
      const property = `recipient_status.${escapeDots(identityUri(view.wire, body.value.userId))}`;
      const value = body.value.type === ReceiptType.READ ? 'read' : 'delivered';
      return [{ operation: 'update', object, data: [{ operation: 'set', property, value }] }];
    }
    case 'announcementDeleted':
      return [{ operation: 'delete', object, data: { mode: 'my_devices' } }];
  }
}
