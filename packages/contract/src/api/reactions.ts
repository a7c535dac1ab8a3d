import Type from 'typebox';
import { REACTION, SERVER_REACTION } from '../examples/message.ts';
import { limits } from '../limits.ts';
import { Reaction, ReactionInput, reactionKey } from '../records/reaction.ts';
import type { Description, Operations } from './operation.ts';
import { pageParameters } from './parameters.ts';

const TAG = 'Reactions';
const SERVER_PATH = '/apps/:app_uuid/conversations/:conversation_id/messages/:message_id';

function listOf(example: Reaction): Pick<Description, 'tag' | 'description' | 'parameters' | 'success'> {
  return {
    tag: TAG,
    description:
      'Who reacted to a message, newest first, without users whom the reader blocks. The counts that the message shows include them.',
    parameters: [
      { name: 'key', in: 'query', schema: reactionKey(' Only reactions with it.') },
      ...pageParameters(limits.reactionPage, 'reactions'),
    ],
    success: {
      200: {
        description: 'A page of reactions; a page shorter than asked is the last one.',
        body: { schema: Type.Array(Reaction), example: [example] },
      },
    },
  };
}

export const REACTIONS = {
  react: {
    route: 'PUT /messages/:message_id/reactions/:key',
    docs: 'messages.md#reactions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'React to a message',
    emptyNotFound: true,
    tag: TAG,
    description: `Reacts to a message with an emoji or a short name, the key, percent-encoded. A repeat changes nothing. A message has at most ${limits.reactionKeys} different keys, of one user at most ${limits.reactionsOfUser}.`,
    parameters: [
      {
        name: 'replace',
        in: 'query',
        schema: Type.Boolean({
          default: false,
          description: 'Whether the user’s reactions with other keys are taken back in the same change.',
        }),
      },
    ],
    body: {
      required: false,
      schema: ReactionInput,
      example: { notification: { title: 'Bob', text: '👍 to: Hello, Bob!' } },
    },
    success: { 204: { description: 'The user has reacted.' } },
    errors: ['access_denied', 'invalid_property', 'invalid_operation'],
  },
  unreact: {
    route: 'DELETE /messages/:message_id/reactions/:key',
    docs: 'messages.md#reactions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'Take a reaction back',
    emptyNotFound: true,
    tag: TAG,
    description: 'Takes a reaction of the user back. A repeat changes nothing.',
    success: { 204: { description: 'The user does not react with the key.' } },
    errors: ['access_denied', 'invalid_property'],
  },
  listReactions: {
    route: 'GET /messages/:message_id/reactions',
    docs: 'messages.md#reactions',
    auth: 'session',
    operator: 'operator: messages',
    summary: 'List reactions to a message',
    kind: 'list',
    emptyNotFound: true,
    ...listOf(REACTION),
    errors: ['invalid_property'],
  },
  listReactionsAsServer: {
    route: `GET ${SERVER_PATH}/reactions`,
    docs: 'messages.md#reactions',
    auth: 'bearer',
    operator: 'operator: messages',
    summary: 'List reactions to a message',
    kind: 'list',
    emptyNotFound: true,
    ...listOf(SERVER_REACTION),
    errors: ['object_deleted', 'invalid_property'],
  },
} satisfies Operations;
