import Schema from 'typebox/schema';
import { Metadata } from '../records/metadata.ts';
import { OPERATIONS } from './index.ts';

const bodies = Object.entries(OPERATIONS).flatMap(([key, { body, success }]) => [
  ...(body ? [[`the request of ${key}`, body] as const] : []),
  ...Object.entries(success).flatMap(([status, answer]) =>
    answer.body ? [[`${status} of ${key}`, answer.body] as const] : [],
  ),
]);

test.each(bodies)('the example of %s is valid', (_, { schema, example }) => {
  const [isValid, errors] = Schema.Errors({ Metadata }, schema, example);
  expect(errors).toEqual([]);
  expect(isValid).toBe(true);
});
