/** Every limit of requests; sizes are bytes where the name says so, otherwise characters or items. */
export const limits = {
  requestBodyBytes: 1_048_576,
  /** Levels of arrays and objects in any JSON from outside. */
  jsonDepth: 64,
  /** Longest id of a request, and longest name of a method, of a WebSocket. */
  socketName: 128,
  /** Frames of one packet of a client; text in more of them closes the socket. */
  packetFragments: 256,
  /** Seconds between two pings of a socket. */
  pingSeconds: 30,
  /** Seconds after which a socket is dropped that sends nothing, and answers no ping. */
  silenceSeconds: 75,
  userId: 256,

  displayName: 128,
  firstName: 128,
  lastName: 128,
  avatarUrl: 1024,
  phoneNumber: 32,
  emailAddress: 255,
  publicKey: 4096,
  identityMetadataKeys: 16,
  /** Longest JSON text of an identity's metadata. */
  identityMetadataBytes: 2048,

  maxParts: 1000,
  /** Size of all parts together as they are stored: an event with the message must fit into one message of the broker. */
  messageBytes: 900_000,
  /** Longest inline body by default; an app may set it up to the second figure. */
  inlineBodyBytes: 2048,
  maxInlineBodyBytes: 65_536,
  mimeType: 1024,
  /** Longest key of a reaction, in UTF-8. */
  reactionKeyBytes: 64,
  /** Different keys with which users react to one message. */
  reactionKeys: 50,
  /** Reactions of one user to one message. */
  reactionsOfUser: 10,
  /** Users whom a message names for each key. */
  recentReactions: 3,
  /** The name under which a download is saved. */
  filename: 255,
  notificationText: 2048,
  batchMessages: 12,
  /** Size of one message to the broker: larger than any event whose parts are within these limits. */
  eventBytes: 7_340_032,
  significanceRecipients: 1000,
  pushTokenBytes: 4096,
  /** Devices of a user that one push names, the newest first: this many fit into an event. */
  pushDevices: 500,
  minDelaySeconds: 1,
  maxDelaySeconds: 300,

  maxParticipants: 250,
  /** Restrictions in a page. */
  restrictionPage: 100,
  /** The reason of a restriction. */
  restrictionReason: 256,
  /** The longest slow mode: six hours. */
  slowModeInSeconds: 21_600,
  /** The longest window for edits and deletions: ten years. */
  windowInSeconds: 315_360_000,
  metadataBytes: 2048,
  /** Longest JSON text of a message's metadata. */
  messageMetadataBytes: 4096,
  /** Levels of objects; a message of the RPC protocol holds no more than about 40. */
  metadataDepth: 24,
  patchOperations: 1000,
  /** The bytes of all paths and values in one patch of a conversation's metadata: 32 times as much as metadata can be. */
  metadataPatchBytes: 65_536,
  /** The bytes of the steps of metadata in one event, as JSON. A change that takes more is shown as one step that sets all metadata. */
  metadataChangeBytes: 8192,
  /** Users whom one request follows. */
  followedAtOnce: 10_000,
  /** Recipients that an announcement names; with more of them, each reader sees only themselves. */
  namedRecipients: 100,
  /** Bytes of JSON that a push without a message carries for the app on the device. */
  pushDataBytes: 2048,
  /** The longest time for which a push without a message is worth showing: four weeks. */
  pushTtlInSeconds: 2_419_200,
  /** Recipients of a push without a message. */
  notificationRecipients: 10_000,

  /** Origins that an app may set; each gateway keeps them with every token of the app. */
  allowedOrigins: 100,
  webhookTargetUrl: 2048,
  webhookSecret: 512,
  webhookConfigBytes: 16_384,
  /** Shortest lifetime of new sessions that an app may set. */
  minSessionSeconds: 30,
  maxSessionSeconds: 31_536_000,
  defaultSessionSeconds: 2_592_000,
  minRsaBits: 2048,
  /** An attacker's own key only costs time: beyond this it costs too much. */
  maxExportKeyBits: 16_384,

  /** Positions without a message that the messages of one import leave out: each becomes a deleted message. */
  importedGaps: 50_000,

  conversationPage: 100,
  messagePage: 100,
  reactionPage: 100,
  announcementPage: 100,
  identityPage: 500,
  userPage: 100,
  /** Users that one search by name finds. */
  foundUsers: 20,
  /** Longest text that users are searched by. */
  userSearch: 64,
  followingPage: 500,
  deliveryPage: 100,
} as const;
