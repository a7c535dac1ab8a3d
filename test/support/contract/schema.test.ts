import type { JsonObject } from './schema.ts';
import { createValidator } from './validator.ts';

const ID = { type: 'string' };
const SCHEMAS = {
  Error: { type: 'object', required: ['id'], properties: { id: ID, data: { type: 'object' } } },
};
const validator = createValidator(SCHEMAS);

test('a property that is not described is a difference, at any depth', () => {
  const validate = validator({ type: 'array', items: { $ref: '#/components/schemas/Error' } });
  expect(validate([{ id: 'a' }])).toBeUndefined();
  expect(validate([{ id: 'a', more: 1 }])).toContain('additional');
});

test('the parts of an allOf may add properties to each other, and nothing else does', () => {
  const extended: JsonObject = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { at: ID } }],
  };
  const validate = validator(extended);
  expect(validate({ id: 'a', at: 'b' })).toBeUndefined();
  expect(validate({ id: 'a', at: 'b', more: 1 })).toContain('unevaluated');
});

test('an object without described properties may have any', () => {
  expect(validator({ $ref: '#/components/schemas/Error' })({ id: 'a', data: { more: 1 } })).toBeUndefined();
});

test('a missing property is a difference', () => {
  expect(validator({ $ref: '#/components/schemas/Error' })({})).toContain('id');
});
