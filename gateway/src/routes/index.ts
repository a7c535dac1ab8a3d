import type { Route } from './route.ts';
import { announcements, serverAnnouncements } from './announcements.ts';
import { apps } from './apps.ts';
import { content, serverContent } from './content.ts';
import { blocks, serverBlocks } from './users/blocks.ts';
import { conversations, serverConversations } from './conversations.ts';
import { documents } from './discovery/documents.ts';
import { entry } from './discovery/entry.ts';
import { exports } from './exports.ts';
import { following, serverFollowing } from './identities/following.ts';
import { identities } from './identities/identities.ts';
import { messages, serverMessages } from './messages.ts';
import { parts, serverParts } from './parts.ts';
import { presence } from './identities/presence.ts';
import { pushTokens, serverNotifications } from './pushes.ts';
import { receipts } from './messages/receipt.ts';
import { scheduledMessages } from './messages/scheduled.ts';
import { sessions } from './sessions.ts';
import { users } from './users/users.ts';
import { webhooks } from './webhooks.ts';

/** What a user's session may do; an app's server may do the same for a user. */
const client: Route[] = [
  ...sessions,
  ...conversations,
  ...messages,
  ...parts,
  ...content,
  ...receipts,
  ...presence,
  ...following,
  ...blocks,
  ...announcements,
  ...pushTokens,
];

const server: Route[] = [
  ...apps,
  ...users,
  ...webhooks,
  ...exports,
  ...identities,
  ...serverFollowing,
  ...serverBlocks,
  ...serverAnnouncements,
  ...serverConversations,
  ...serverMessages,
  ...scheduledMessages,
  ...serverContent,
  ...serverParts,
  ...serverNotifications,
];

const api: Route[] = [...entry, ...server, ...client, ...client.filter(isOfUser).map(asUser)];

/** The whole public API; of two rows that fit a request the first has it. SPEC completions 5, user-scoped access. */
export const routes: readonly Route[] = [...api, ...documents(api)];

function isOfUser(route: Route): boolean {
  return route.auth === 'session';
}

function asUser(route: Route): Route {
  return { ...route, path: `/apps/:app_uuid/users/:as_user_id${route.path}`, auth: 'bearer' };
}
