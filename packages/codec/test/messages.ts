import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import fc, { type Arbitrary } from 'fast-check';

type Init = Record<string, unknown>;

const text = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 400 }),
  fc.constantFrom(
    '',
    '\ufffd',
    '\ud800',
    '\ufeffx',
    'é'.repeat(70),
    'x'.repeat(127),
    'x'.repeat(128),
    '中'.repeat(6000),
  ),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 0.5, NaN, Infinity, -Infinity, 1764075600123.25),
);
const bytes = fc.uint8Array({ maxLength: 300 });
const scalars: Partial<Record<ScalarType, Arbitrary<unknown>>> = {
  [ScalarType.STRING]: text,
  [ScalarType.DOUBLE]: number,
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.BYTES]: bytes,
  [ScalarType.INT32]: fc.oneof(fc.integer(), fc.constantFrom(0, -1, 2 ** 31 - 1, -(2 ** 31))),
  [ScalarType.UINT32]: fc.oneof(fc.nat(), fc.constantFrom(0, 127, 128, 2 ** 32 - 1)),
};

/** Values from which `create` makes a message of the type. */
export function initsOf(schema: DescMessage): Arbitrary<Init> {
  if (schema.typeName === 'google.protobuf.Value')
    return fc.constantFrom(
      { kind: { case: 'stringValue', value: 'x' } },
      { kind: { case: 'boolValue', value: false } },
    );
  const members = schema.members.map((member): [string, Arbitrary<unknown>] => {
    if (member.kind !== 'oneof') return [member.localName, fc.option(valueOf(member), { nil: undefined })];
    const cases = member.fields.map((field) =>
      valueOf(field).map((value) => ({ case: field.localName, value })),
    );
    return [member.localName, fc.oneof(fc.constant(undefined), ...cases)];
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function valueOf(field: DescField): Arbitrary<unknown> {
  if (field.fieldKind === 'list') return fc.array(elementOf(field), { maxLength: 4 });
  if (field.fieldKind === 'map') return fc.dictionary(text, elementOf(field), { maxKeys: 3 });
  return elementOf(field);
}

function elementOf(field: DescField): Arbitrary<unknown> {
  if (field.message?.typeName === 'google.protobuf.Struct') return fc.dictionary(fc.string(), fc.jsonValue());
  if (field.message) return initsOf(field.message);
  if (field.fieldKind === 'enum') return fc.nat({ max: 5 });
  const arbitrary = field.scalar === undefined ? undefined : scalars[field.scalar];
  if (!arbitrary) throw new Error(`no values for ${String(field)}`);
  return arbitrary;
}

/** Values with one case of a oneof: each case of each of them once. */
export function initsOfCases(schema: DescMessage): Arbitrary<Init>[] {
  return schema.oneofs.flatMap((oneof) =>
    oneof.fields.map((field) =>
      valueOf(field).map((value) => ({ [oneof.localName]: { case: field.localName, value } })),
    ),
  );
}
