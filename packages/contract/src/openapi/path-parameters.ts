import Type, { type TSchema } from 'typebox';
import { TYPE_NAME } from '../patterns.ts';
import { reactionKey } from '../records/reaction.ts';
import { EXAMPLE, idInput } from '../schema/ids.ts';

function userId(description: string): TSchema {
  return Type.String({
    minLength: 1,
    description: `${description} The user id, percent-encoded. A user whose id no new user gets may be named by the URI of the identity.`,
    examples: ['ada'],
  });
}

/** Every parameter in a path of the API, by its name. */
export const PATH_PARAMETERS: Readonly<Record<string, TSchema>> = {
  app_uuid: Type.String({
    format: 'uuid',
    description: 'The application, which has to be that of the access token.',
    examples: [EXAMPLE.app],
  }),
  user_id: userId('The user, by the id that the application gave them.'),
  owner_user_id: userId('The user who follows others.'),
  as_user_id: userId('The user as whom the server acts.'),
  conversation_id: { ...idInput('conversations', 'The conversation.'), examples: [EXAMPLE.conversation] },
  message_id: { ...idInput('messages', 'The message.'), examples: [EXAMPLE.message] },
  part_id: Type.String({
    minLength: 1,
    description: 'The part. Its URI or its bare UUID.',
    examples: [EXAMPLE.part],
  }),
  key: reactionKey(' Percent-encoded.'),
  content_id: { ...idInput('content', 'The content.'), examples: [EXAMPLE.content] },
  announcement_id: { ...idInput('announcements', 'The announcement.'), examples: [EXAMPLE.announcement] },
  webhook_id: Type.String({
    minLength: 1,
    description: 'The webhook. Its URI or its bare UUID.',
    examples: [EXAMPLE.webhook],
  }),
  delivery_id: Type.String({
    format: 'uuid',
    description: 'The delivery.',
    examples: [EXAMPLE.delivery],
  }),
  export_id: { ...idInput('exports', 'The export.'), examples: [EXAMPLE.export] },
  type_name: Type.String({
    pattern: TYPE_NAME,
    description: 'The type.',
    examples: ['channel'],
  }),
  token: Type.String({ minLength: 1, description: 'The session token.', examples: ['…'] }),
  device_id: Type.String({
    minLength: 1,
    description: 'The device, by the id that it was registered with.',
    examples: ['phone-1'],
  }),
};
