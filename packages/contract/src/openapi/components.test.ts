import Type from 'typebox';
import { named } from '../schema/schema.ts';
import { toJsonSchema, type Components } from './components.ts';

test('a schema that contains itself refers to itself among the components', () => {
  const tree = named('Tree', Type.Object({ children: Type.Array(Type.Ref('Tree')) }));
  const components: Components = new Map();
  expect(toJsonSchema(tree, components)).toEqual({ $ref: '#/components/schemas/Tree' });
  expect(components.get('Tree')).toEqual({
    type: 'object',
    required: ['children'],
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  });
});
