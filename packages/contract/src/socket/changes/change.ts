import Type, { type TSchema } from 'typebox';
import { named } from '../../schema/schema.ts';

/** The body of a change packet: an object is there, with all that the receiving user sees of it. */
export function createChange<O extends TSchema, D extends TSchema>(
  name: string,
  { object, data, description }: { object: O; data: D; description: string },
) {
  return named(name, Type.Object({ operation: Type.Literal('create'), object, data }, { description }));
}

/** The body of a change packet: steps that bring an object up to date, to be applied in their order. */
export function updateChange<O extends TSchema, S extends TSchema>(
  name: string,
  { object, step, description }: { object: O; step: S; description: string },
) {
  const data = Type.Array(step, { minItems: 1, description: 'Steps, in the order of their application.' });
  return named(name, Type.Object({ operation: Type.Literal('update'), object, data }, { description }));
}

/** The body of a change packet: an object is gone for the receiving user. */
export function deleteChange<O extends TSchema, D extends TSchema>(
  name: string,
  { object, data, description }: { object: O; data: D; description: string },
) {
  return named(name, Type.Object({ operation: Type.Literal('delete'), object, data }, { description }));
}
