import Type, { type Static } from 'typebox';
import { Announcement } from '../../records/announcement.ts';
import { oneOf } from '../../schema/schema.ts';
import { AnnouncementObject } from '../object.ts';
import { createChange, deleteChange, updateChange } from './change.ts';
import { RECIPIENT_STATUS_PATH, setStepAt } from './step.ts';

export const AnnouncementCreated = createChange('AnnouncementCreatedChange', {
  object: AnnouncementObject,
  data: Announcement,
  description: 'The user received an announcement.',
});
export type AnnouncementCreated = Static<typeof AnnouncementCreated>;

export const AnnouncementUpdated = updateChange('AnnouncementUpdatedChange', {
  object: AnnouncementObject,
  step: setStepAt(RECIPIENT_STATUS_PATH.pattern, {
    description: `${RECIPIENT_STATUS_PATH.description} The user is the only one of whom there are such steps.`,
    value: oneOf(['delivered', 'read'], 'How far the announcement has come with the user.'),
  }),
  description: 'The user received or read the announcement on one of their devices.',
});
export type AnnouncementUpdated = Static<typeof AnnouncementUpdated>;

export const AnnouncementDeleted = deleteChange('AnnouncementDeletedChange', {
  object: AnnouncementObject,
  data: Type.Object({ mode: Type.Literal('my_devices') }),
  description: 'The user deleted the announcement for their devices, or it was withdrawn.',
});
export type AnnouncementDeleted = Static<typeof AnnouncementDeleted>;
