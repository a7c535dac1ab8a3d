import Type, { type TSchema } from 'typebox';

/** `{operation: "set", property, value}`: the property has this value now. */
export function setStep<const P extends string, V extends TSchema>(property: P, value: V) {
  return Type.Object({ operation: Type.Literal('set'), property: Type.Literal(property), value });
}

/** A step that sets a property whose name matches a pattern. */
export function setStepAt<V extends TSchema>(pattern: string, options: { description: string; value: V }) {
  const { description, value } = options;
  return Type.Object({
    operation: Type.Literal('set'),
    property: Type.String({ pattern, description }),
    value,
  });
}

/** `{operation: "delete", property}`: the property is gone. */
export function deleteStep<const P extends string>(property: P) {
  return Type.Object({ operation: Type.Literal('delete'), property: Type.Literal(property) });
}

/** A step that deletes a property whose name matches a pattern. */
export function deleteStepAt(pattern: string, description: string) {
  return Type.Object({
    operation: Type.Literal('delete'),
    property: Type.String({ pattern, description }),
  });
}

/** `{operation: "add", property, id, value}`: the list has one item more, unless it has it already. */
export function addStep<const P extends string, I extends TSchema, V extends TSchema>(
  property: P,
  { id, value }: { id: I; value: V },
) {
  return Type.Object({ operation: Type.Literal('add'), property: Type.Literal(property), id, value });
}

/** `{operation: "remove", property, id}`: the list is without this item. */
export function removeStep<const P extends string, I extends TSchema>(property: P, id: I) {
  return Type.Object({ operation: Type.Literal('remove'), property: Type.Literal(property), id });
}

/** The status of one recipient, in the map that a Message or an Announcement has. */
export const RECIPIENT_STATUS_PATH = {
  pattern: '^recipient_status\\.',
  description:
    'After `recipient_status.` the URI of the identity, each dot in it written as `\\.`, such as `recipient_status.svc:///identities/bob`.',
};
