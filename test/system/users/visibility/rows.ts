/**
 * The relation of user A to user B, who looks: A is blocked by B; A is suspended, so that the app's server acts for A; A's message is hidden by B;
 * A is erased; B has left the conversation; B was added without the history from before; or A is under a shadow restriction.
 */
export const RELATIONS = [
  'blocked',
  'suspended',
  'hidden',
  'erased',
  'left',
  'newcomer',
  'shadowed',
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Whether B gets to see what A does; `refused`: nobody does, since the act is refused. */
export type Sight = 'seen' | 'withheld' | 'refused';

type Row = { effect: string; why: string } & Record<Relation, Sight>;

const SERVER =
  'what a server does in the name of A counts as done by A, and erased users have no name to act in';

/** Effects of A on B, each with a text of its own that B sees or does not see, by packets and by every reading. */
export const EFFECTS: readonly Row[] = [
  {
    effect: 'send',
    blocked: 'withheld',
    suspended: 'seen',
    hidden: 'seen',
    erased: 'refused',
    left: 'withheld',
    newcomer: 'seen',
    shadowed: 'withheld',
    why: SERVER,
  },
  {
    ...{
      effect: 'add a part',
      blocked: 'withheld',
      suspended: 'seen',
      hidden: 'withheld',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'withheld',
      shadowed: 'withheld',
    },
    why: 'who blocks the sender goes on reading what they read; who hid the message does not get it back',
  },
  {
    ...{
      effect: 'replace the parts',
      blocked: 'withheld',
      suspended: 'seen',
      hidden: 'withheld',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'withheld',
      shadowed: 'withheld',
    },
    why: 'the same',
  },
  {
    ...{
      effect: 'change the metadata of a message',
      blocked: 'withheld',
      suspended: 'seen',
      hidden: 'withheld',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'withheld',
      shadowed: 'withheld',
    },
    why: 'the same',
  },
  {
    ...{
      effect: 'react',
      blocked: 'seen',
      suspended: 'refused',
      hidden: 'seen',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'seen',
      shadowed: 'withheld',
    },
    why: 'counts go to all participants, and name nobody whom B blocks: reactions.test.ts; only users react',
  },
  {
    ...{
      effect: 'delete for all',
      blocked: 'withheld',
      suspended: 'seen',
      hidden: 'seen',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'withheld',
      shadowed: 'seen',
    },
    why: 'a message that B never saw is not deleted for B',
  },
  {
    ...{
      effect: 'type',
      blocked: 'withheld',
      suspended: 'seen',
      hidden: 'seen',
      erased: 'refused',
      left: 'withheld',
      newcomer: 'seen',
      shadowed: 'withheld',
    },
    why: 'a server lets A type by a scheduled message',
  },
  {
    ...{
      effect: 'patch metadata',
      blocked: 'seen',
      suspended: 'seen',
      hidden: 'seen',
      erased: 'seen',
      left: 'withheld',
      newcomer: 'seen',
      shadowed: 'withheld',
    },
    why: 'metadata is the state of the conversation, the same for all; in the erased row the server patches it',
  },
];

const OWN = 'only the user’s own sockets, or servers';
const SHARED = 'a fact of the conversation, the same for all';

/** Every kind of event, and the effects that make it, or why it passes nothing from a user to another that a relation keeps back. */
export const EVENTS: Readonly<Record<string, readonly string[] | { why: string }>> = {
  conversation_created: { why: 'refused where a participant blocks the creator: blocks.test.ts' },
  conversation_updated: ['patch metadata'],
  conversation_deleted: { why: SHARED },
  conversation_hidden: { why: OWN },
  conversation_relisted: { why: OWN },
  message_created: ['send'],
  message_deleted: ['delete for all'],
  message_hidden: { why: OWN },
  receipt_recorded: { why: 'the state of B’s own message, which stays true: docs/decisions/relations.md' },
  all_read: { why: 'the same for many messages' },
  all_delivered: { why: 'the same for many messages' },
  message_parts_changed: ['add a part', 'replace the parts'],
  message_updated: ['change the metadata of a message'],
  reactions_changed: ['react'],
  restriction_changed: { why: OWN },
  identity_changed: { why: 'the identity is public; its presence is not: blocked-presence.test.ts' },
  user_erased: { why: OWN },
  sessions_ended: { why: OWN },
  block_changed: { why: OWN },
  app_deleted: { why: OWN },
  announcement_created: { why: 'an act of the application' },
  announcement_received: { why: 'an act of the application' },
  announcement_receipt_recorded: { why: OWN },
  announcement_deleted: { why: 'an act of the application, or B’s own' },
  notification_requested: { why: 'an act of the application' },
  push_requested: ['send'],
  push_settled: { why: OWN },
};

/** Packets for sockets that are no events, by their operation in the description of the socket. */
export const PACKETS: Readonly<Record<string, readonly string[] | { why: string }>> = {
  greet: { why: OWN },
  sendChanges: [
    'send',
    'add a part',
    'replace the parts',
    'change the metadata of a message',
    'react',
    'delete for all',
    'patch metadata',
  ],
  sendLeanPackets: { why: 'a form of the others, packet by packet: live/lean-packets.test.ts' },
  sendOperations: { why: 'all_read, all_delivered' },
  sendTyping: ['type'],
  refuseRequest: { why: OWN },
  reportDropped: { why: OWN },
};

/** Every operation by which users read: the paths that the test reads, with `:conversation`, `:message` and `:user`; or the reason why it reads none. */
export const READINGS: Readonly<Record<string, string | { why: string }>> = {
  discover: { why: OWN },
  listConversations: '/conversations?sort_by=last_message',
  getConversation: '/conversations/:conversation',
  listMessages: '/conversations/:conversation/messages',
  getMessage: '/messages/:message',
  listParts: '/messages/:message/parts',
  getPart: { why: 'one of listParts' },
  listPartsInConversation: '/conversations/:conversation/messages/:message/parts',
  getPartInConversation: { why: 'one of listPartsInConversation' },
  listReactions: '/messages/:message/reactions',
  getContent: { why: 'content is read by the id that a part names' },
  listFollowedIdentities: '/identities',
  getIdentity: '/identities/:user',
  listFollowedUsers: { why: 'whom B follows, by B’s own conversations' },
  isFollowing: { why: 'the same' },
  listBlocks: { why: OWN },
  findUsers: { why: 'names alone, without blocks and suspended users: user-search.test.ts' },
  listAnnouncements: { why: 'acts of the application' },
  getAnnouncement: { why: 'the same' },
  listRestrictions: { why: 'for those who may restrict: policy-isolation.test.ts' },
  listTypes: { why: 'rules of the application, the same for all' },
  getPushKey: { why: OWN },
};
