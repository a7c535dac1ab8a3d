import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';

/** How a value is written: by the `Writer`'s method of this name, as a message, or by the library. */
export type ValueType = 'string' | 'double' | 'bool' | 'bytes' | 'int32' | 'uint32' | 'message' | 'foreign';

/** What the functions of a type need to know of one of its fields. */
export type Field = {
  /** Its property. */
  name: string;
  number: number;
  /** `always`: it has a value in every message. */
  kind: 'always' | 'optional' | 'oneof' | 'list' | 'map';
  /** Of the value, an element, or an entry of a map, whose keys are strings. */
  type: ValueType;
  /** The property of its group, when at most one of several fields is set. */
  oneof: string | undefined;
  message: DescMessage | undefined;
};

const TYPES: Partial<Record<ScalarType, ValueType>> = {
  [ScalarType.STRING]: 'string',
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.BYTES]: 'bytes',
  [ScalarType.INT32]: 'int32',
  [ScalarType.UINT32]: 'uint32',
};
const IMPLICIT = 2;

/** Undefined for a kind of field that no function is compiled for. `isCompiled`: whether the functions of another type are. */
export function fieldOf(field: DescField, isCompiled: (message: DescMessage) => boolean): Field | undefined {
  const type = typeOf(field, isCompiled);
  const kind = kindOf(field);
  if (type === undefined || kind === undefined) return undefined;
  const { localName: name, number, oneof, message } = field;
  return { name, number, kind, type, oneof: oneof?.localName, message };
}

function kindOf(field: DescField): Field['kind'] | undefined {
  if (field.fieldKind === 'list') return field.listKind === 'enum' ? undefined : 'list';
  if (field.fieldKind === 'map') {
    const isOfStrings = field.mapKey === ScalarType.STRING && field.mapKind === 'scalar';
    return isOfStrings ? 'map' : undefined;
  }
  if (field.oneof) return 'oneof';
  return field.presence === IMPLICIT ? 'always' : 'optional';
}

function typeOf(field: DescField, isCompiled: (message: DescMessage) => boolean): ValueType | undefined {
  if (field.message)
    return isCompiled(field.message)
      ? 'message'
      : field.fieldKind === 'message' && !field.oneof
        ? 'foreign'
        : undefined;
  // All values of an enum are zero by default, and unknown ones are kept.
  if (field.fieldKind === 'enum')
    return field.enum.open && field.enum.values[0]?.number === 0 ? 'int32' : undefined;
  return field.scalar === undefined ? undefined : TYPES[field.scalar];
}
