import { ANNOUNCEMENTS } from './announcements.ts';
import { APPLICATION } from './application.ts';
import { BLOCKS } from './blocks.ts';
import { DELIVERIES } from './deliveries.ts';
import { EXPORTS } from './exports.ts';
import { FOLLOWING } from './following.ts';
import { IDENTITIES } from './identities.ts';
import { MESSAGES } from './messages.ts';
import { NOTIFICATIONS } from './notifications.ts';
import type { Operations } from './operation.ts';
import { PRESENCE } from './presence.ts';
import { USERS } from './users.ts';
import { WEBHOOKS } from './webhooks.ts';

/** Every operation of the public API. */
export const OPERATIONS: Operations = {
  ...IDENTITIES,
  ...FOLLOWING,
  ...PRESENCE,
  ...BLOCKS,
  ...USERS,
  ...NOTIFICATIONS,
  ...ANNOUNCEMENTS,
  ...MESSAGES,
  ...APPLICATION,
  ...WEBHOOKS,
  ...DELIVERIES,
  ...EXPORTS,
};
