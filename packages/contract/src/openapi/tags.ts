import type { Tag } from '../api/operation.ts';

/** Subjects of the operations of each tag, in the order of the document. */
export const TAGS: Readonly<Record<Tag, string>> = {
  Discovery: 'Where everything is, whether the gateway answers, and these descriptions.',
  Sessions: 'Logging in with an identity token, and logging out.',
  Conversations: 'Who writes to each other, and the metadata that they share.',
  Messages: 'Sending, reading, scheduling and deleting messages.',
  'Message parts': 'The pieces of a message, which its sender may change.',
  Reactions: 'Emoji and short names by which users answer a message.',
  'Rich content': 'Blobs that are too large to stand in a part.',
  Receipts: 'Statements that a message was delivered or read.',
  Identities: 'Who users are.',
  Following: 'Whose identity and presence a user sees.',
  Presence: 'Whether users are there.',
  Blocks: 'From whom a user gets no messages.',
  Announcements: 'Messages of a server to many users, outside conversations.',
  Notifications: 'Devices, and pushes without a message.',
  Users: 'What servers do with users: badges, sessions, suspension and erasure.',
  Application: 'Settings of the application.',
  Webhooks: 'Registering webhooks, and their deliveries.',
  Exports: 'Archives of everything that an application has.',
  'Uploads and downloads': 'The bytes of rich content, at addresses that are themselves the authorization.',
  Administration: 'Applications, keys, access tokens and users, for holders of the administration token.',
};
