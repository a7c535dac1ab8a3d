import Type from 'typebox';
import { BOB, BOB_OF_SERVER } from '../examples/identity.ts';
import { BlocksPatch } from '../records/block.ts';
import { BasicIdentity } from '../records/identity.ts';
import type { Description, Operations } from './operation.ts';

function listOf(example: BasicIdentity): Description['success'] {
  return {
    200: {
      description: 'All blocked users. One whose identity was deleted is listed without a name.',
      body: { schema: Type.Array(BasicIdentity), example: [example] },
    },
  };
}

export const BLOCKS = {
  listBlocks: {
    route: 'GET /blocks',
    docs: 'users.md#blocks',
    auth: 'session',
    operator: 'operator: users',
    summary: 'List blocked users',
    kind: 'list',
    tag: 'Blocks',
    description: 'The users whom the user blocks.',
    success: listOf(BOB),
    errors: ['not_found'],
  },
  blockUser: {
    route: 'PUT /blocks/:user_id',
    docs: 'users.md#blocks',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Block a user',
    tag: 'Blocks',
    description:
      'Blocks a user: they can neither begin a conversation with the one who blocks them nor add them to one, and their messages in shared conversations are not delivered.',
    success: { 204: { description: 'The user is blocked.' } },
    errors: ['not_found', 'invalid_property', 'invalid_operation'],
  },
  unblockUser: {
    route: 'DELETE /blocks/:user_id',
    docs: 'users.md#blocks',
    auth: 'session',
    operator: 'operator: users',
    summary: 'Unblock a user',
    tag: 'Blocks',
    description: 'Unblocks a user. Messages that were not delivered stay undelivered.',
    success: { 204: { description: 'The user is not blocked any more.' } },
    errors: ['not_found'],
  },
  listBlocksOfUser: {
    route: 'GET /apps/:app_uuid/users/:user_id/blocks',
    docs: 'users.md#blocks',
    auth: 'bearer',
    operator: 'viewer: users',
    summary: 'List blocked users',
    kind: 'list',
    tag: 'Blocks',
    description: 'The users whom a user blocks.',
    success: listOf(BOB_OF_SERVER),
    errors: ['not_found'],
  },
  patchBlocks: {
    route: 'PATCH /apps/:app_uuid/users/:user_id/blocks',
    docs: 'users.md#blocks',
    auth: 'bearer',
    operator: 'operator: users',
    summary: 'Change blocked users',
    tag: 'Blocks',
    description: 'Changes whom a user blocks.',
    body: {
      schema: BlocksPatch,
      example: [
        { operation: 'add', property: 'blocks', id: 'bob' },
        { operation: 'remove', property: 'blocks', id: 'svc:///identities/grace' },
      ],
      required: true,
    },
    success: { 202: { description: 'The changes are made.' } },
    errors: ['not_found', 'missing_property', 'invalid_property', 'invalid_operation'],
  },
} satisfies Operations;
