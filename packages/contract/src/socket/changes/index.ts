import type { TSchema } from 'typebox';
import { AnnouncementCreated, AnnouncementDeleted, AnnouncementUpdated } from './announcement.ts';
import { ConversationCreated, ConversationDeleted, ConversationUpdated } from './conversation.ts';
import { IdentityCreated, IdentityDeleted, IdentityUpdated } from './identity.ts';
import { MessageCreated, MessageDeleted, MessagePartUpdated, MessageUpdated } from './message.ts';

/** The bodies of all change packets, by the name of their message. */
export const CHANGES = {
  ConversationCreated,
  ConversationUpdated,
  ConversationDeleted,
  MessageCreated,
  MessageUpdated,
  MessageDeleted,
  MessagePartUpdated,
  AnnouncementCreated,
  AnnouncementUpdated,
  AnnouncementDeleted,
  IdentityCreated,
  IdentityUpdated,
  IdentityDeleted,
} as const satisfies Record<string, TSchema>;

export type ChangeName = keyof typeof CHANGES;
