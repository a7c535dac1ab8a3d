import fc from 'fast-check';
import { users, type Command } from './commands.ts';

const user = fc.constantFrom(...users);
const someUsers = fc.subarray(users);
const conversation = fc.nat(2);

const create = fc.record({
  kind: fc.constant('create' as const),
  user,
  others: fc.oneof(fc.constant(users), someUsers),
  distinct: fc.boolean(),
});

const later: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: create },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('send' as const), user, conversation }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      user,
      conversation,
      add: fc.subarray(users, { maxLength: 2 }),
      remove: fc.subarray(users, { maxLength: 1 }),
      key: fc.constantFrom('', '', 'a', 'b'),
      history: fc.constantFrom('all' as const, 'none' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('show' as const), user, conversation }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      user,
      conversation,
      forAll: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
      leave: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deleteMessage' as const),
      user,
      conversation,
      message: fc.nat(3),
      forAll: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), user, conversation, message: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 7000) }) },
);

/** Commands in proportions that create, shrink, grow and delete conversations. */
export const commands: fc.Arbitrary<Command[]> = fc
  .tuple(create, fc.array(later, { minLength: 15, maxLength: 30, size: 'max' }))
  .map(([first, rest]) => [first, ...rest]);
