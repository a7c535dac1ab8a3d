import Type, { type Static } from 'typebox';
import { limits } from '../limits.ts';
import { identityInput } from '../schema/ids.ts';
import { named, oneOf, only } from '../schema/schema.ts';

const PROPERTY = only('blocks', 'The users whom the user blocks.');
const USER = identityInput('The user to block or unblock.');
const ONE = oneOf(['add', 'remove'], 'Blocks or unblocks one user.');

export const BlockStep = named(
  'BlockStep',
  Type.Union(
    [
      Type.Object({ operation: ONE, property: PROPERTY, id: USER }),
      Type.Object({ operation: ONE, property: PROPERTY, value: USER, id: Type.Optional(Type.Null()) }),
      Type.Object({
        operation: only('set', 'Blocks these users and no others.'),
        property: PROPERTY,
        value: Type.Array(identityInput('A user.'), { description: 'All users to block; may be empty.' }),
      }),
    ],
    { description: 'One change of the users whom a user blocks. `id` wins over `value`.' },
  ),
);

export const BlocksPatch = Type.Array(BlockStep, {
  maxItems: limits.patchOperations,
  description: 'Changes, applied in order; all of them or none.',
});
export type BlocksPatch = Static<typeof BlocksPatch>;
