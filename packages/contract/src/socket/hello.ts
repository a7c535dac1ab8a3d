import Type, { type Static } from 'typebox';
import { BasicIdentity } from '../records/identity.ts';
import { count, named, nullable, time } from '../schema/schema.ts';

const Rate = named(
  'Rate',
  Type.Object(
    {
      per_second: Type.Number({ description: 'Requests a second on average.' }),
      burst: Type.Number({ description: 'Requests at once after a pause.' }),
    },
    { description: 'How many requests a token bucket lets through.' },
  ),
);

const PageSizes = Type.Object(
  {
    conversations: count('Conversations.', 1),
    messages: count('Messages.', 1),
    announcements: count('Announcements.', 1),
    identities: count('Identities.', 1),
    followed_users: count('Followed users.', 1),
  },
  { description: 'The largest `page_size` of each list.' },
);

const Rates = Type.Object(
  {
    requests_of_session: nullable(Rate),
    upgrades_of_session: nullable(Rate),
    upgrades_of_address: nullable(Rate),
  },
  { description: 'Each gateway counts for itself. Null: no limit.' },
);

export const ClientLimits = named(
  'ClientLimits',
  Type.Object(
    {
      packet_bytes: count('Of one packet.'),
      request_body_bytes: count('Of the body of one REST request.'),
      message_bytes: count('Of all parts of a message together.'),
      inline_body_bytes: count('Of the inline body of one part.'),
      parts: count('Parts of a message.'),
      json_depth: count('Levels of arrays and objects in a packet.'),
      page_size: PageSizes,
      rates: Rates,
      requests_under_way: Type.Object(
        {
          lists: count('Lists, `Presence.subscribe` and `Presence.sync`.'),
          patches: count('Patches of conversations.'),
          replays: count('Replays.'),
        },
        { description: 'Of one user at once; further requests wait for a while.' },
      ),
      sockets_of_user: count('Sockets of one user at one gateway.'),
      replays_of_socket: count('Replays of one socket at once.'),
      replay_weight: count('What a replay takes from the bucket of the session.'),
      presence_ids: count('Users whom one socket subscribes to by name.'),
      replay_overlap_in_seconds: count(
        'A replay begins this much earlier than the last server time that the client saw.',
      ),
      features: Type.Optional(
        Type.Array(Type.String({ description: 'A feature.', examples: ['user_directory'] }), {
          minItems: 1,
          description:
            "What is switched on for the user's application, of `user_directory`; later releases name more. Absent: nothing.",
        }),
      ),
    },
    { description: 'The limits that a client meets, as this gateway is configured.' },
  ),
);
export type ClientLimits = Static<typeof ClientLimits>;

function template(what: string) {
  return Type.String({ description: `Of ${what}.` });
}

/** A lean packet has no addresses: these make them of ids. */
export const AddressTemplates = named(
  'AddressTemplates',
  Type.Object(
    {
      conversation: template('a conversation'),
      messages: template('its list of messages'),
      message: template('a message'),
      message_receipts: template('its receipts'),
      message_part: template('a part of a message'),
      content: template('a content’s new `download_url`'),
      identity: template('an identity'),
      announcement: template('an announcement'),
      announcement_receipts: template('its receipts'),
      announcement_part: template('a part of an announcement'),
    },
    { description: 'Addresses with ids in braces, on a socket of the subprotocol `svc-4.0` alone.' },
  ),
);
export type AddressTemplates = Static<typeof AddressTemplates>;

/** The body of the first packet of a socket with the subprotocol `svc-3.1` or `svc-4.0`. */
export const Hello = named(
  'Hello',
  Type.Object(
    {
      user: BasicIdentity,
      session_expires_at: nullable(time('When the session ends; null: never.')),
      server_time: time('Now; a later replay may begin here.'),
      keep_alive_in_seconds: count('The gateway pings after this many seconds.', 1),
      limits: ClientLimits,
      templates: Type.Optional(AddressTemplates),
    },
    { description: 'Whose socket this is, and what holds on it.' },
  ),
);
export type Hello = Static<typeof Hello>;
