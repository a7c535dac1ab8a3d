import { ANNOUNCEMENTS } from './announcements.ts';
import { APPLICATION } from './application.ts';
import { BLOCKS } from './blocks.ts';
import { CONTENT } from './content.ts';
import { CONVERSATIONS } from './conversations.ts';
import { DELIVERIES } from './deliveries.ts';
import { DISCOVERY } from './discovery.ts';
import { EXPORTS } from './exports.ts';
import { FOLLOWING } from './following.ts';
import { IDENTITIES } from './identities.ts';
import { MESSAGES } from './messages.ts';
import { NOTIFICATIONS } from './notifications.ts';
import type { Operation } from './operation.ts';
import { PARTS } from './parts.ts';
import { PRESENCE } from './presence.ts';
import { REACTIONS } from './reactions.ts';
import { SCHEDULED_MESSAGES } from './scheduled-messages.ts';
import { SENDING } from './sending.ts';
import { SESSIONS } from './sessions.ts';
import { RESTRICTIONS } from './restrictions.ts';
import { TYPES } from './types.ts';
import { USERS } from './users.ts';
import { WEBHOOKS } from './webhooks.ts';

const ALL = {
  ...DISCOVERY,
  ...SESSIONS,
  ...CONVERSATIONS,
  ...TYPES,
  ...RESTRICTIONS,
  ...IDENTITIES,
  ...FOLLOWING,
  ...PRESENCE,
  ...BLOCKS,
  ...USERS,
  ...NOTIFICATIONS,
  ...ANNOUNCEMENTS,
  ...MESSAGES,
  ...SENDING,
  ...SCHEDULED_MESSAGES,
  ...PARTS,
  ...REACTIONS,
  ...CONTENT,
  ...APPLICATION,
  ...WEBHOOKS,
  ...DELIVERIES,
  ...EXPORTS,
};

export type OperationId = keyof typeof ALL;

/** Every operation of the public API. */
export const OPERATIONS: Readonly<Record<OperationId, Operation>> = ALL;
