import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';

type Schemas = Map<string, object>;

/** Integers of 64 bits are text in JSON; there are none in the administration API. */
const SCALARS: Readonly<Partial<Record<ScalarType, object>>> = {
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.DOUBLE]: { type: 'number' },
  [ScalarType.BYTES]: { type: 'string', contentEncoding: 'base64' },
};

/**
 * A reference to the JSON Schema of a message, which is added to `schemas` with those that it holds. In answers every
 * property without its own presence is there, so that `isAnswer` makes it required.
 */
export function messageSchema(message: DescMessage, schemas: Schemas, isAnswer: boolean): object {
  if (message.typeName === StructSchema.typeName) return { type: 'object' };
  const name = nameOf(message);
  if (!schemas.has(name)) {
    // Set before its fields are converted, so that a message may hold itself.
    schemas.set(name, {});
    const fields = message.fields.map(
      (field) => [field.name, fieldSchema(field, schemas, isAnswer)] as const,
    );
    const required = message.fields
      .filter((field) => isAnswer && isAlwaysThere(field))
      .map(({ name }) => name);
    schemas.set(name, {
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(required.length > 0 && { required }),
    });
  }
  return { $ref: `#/components/schemas/${name}` };
}

/** `parley.identity.v1.ListUserSessionsResponse.Session` as `AdminListUserSessionsResponseSession`. */
function nameOf({ typeName, file }: DescMessage): string {
  return `Admin${typeName.slice(file.proto.package.length + 1).replaceAll('.', '')}`;
}

function fieldSchema(field: DescField, schemas: Schemas, isAnswer: boolean): object {
  if (field.fieldKind === 'list') {
    return { type: 'array', items: valueSchema(field, schemas, isAnswer) };
  }
  if (field.fieldKind === 'map') {
    return { type: 'object', additionalProperties: valueSchema(field, schemas, isAnswer) };
  }
  return valueSchema(field, schemas, isAnswer);
}

function valueSchema(field: DescField, schemas: Schemas, isAnswer: boolean): object {
  if (field.message) return messageSchema(field.message, schemas, isAnswer);
  if (field.enum) return { type: 'string', enum: field.enum.values.map(({ name }) => name) };
  const schema = field.scalar === undefined ? undefined : SCALARS[field.scalar];
  if (!schema) throw new Error(`the administration API has no JSON form of ${field.name}`);
  return schema;
}

/** Lists, maps, and scalars and enums that are not `optional`. */
function isAlwaysThere({ fieldKind, proto }: DescField): boolean {
  return fieldKind !== 'message' && !proto.proto3Optional;
}
