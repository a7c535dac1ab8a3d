import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';

/** How a value is encoded: by the method of this name of `Writer` and `Reader`, as a message, or by the library. */
export type ValueType = 'string' | 'double' | 'bool' | 'bytes' | 'int32' | 'uint32' | 'message' | 'foreign';

/** Facts about a field that the functions of its type need. */
export type Field = {
  /** Its property. */
  name: string;
  number: number;
  /** `implicit`: a single value that is always there, and not encoded while it is zero or empty. */
  kind: 'implicit' | 'optional' | 'oneof' | 'list' | 'map';
  /** Type of the value, of each element of a list, or of each value of a map. Keys of maps are strings. */
  type: ValueType;
  /** The property that holds which one of several fields is set, if it is one of them. */
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

/** Undefined for a field that compiled functions cannot handle. `isCompiled`: whether there are functions for another type of message. */
export function fieldOf(field: DescField, isCompiled: (message: DescMessage) => boolean): Field | undefined {
  const type = typeOf(field, isCompiled);
  const kind = kindOf(field);
  if (type === undefined || kind === undefined) return undefined;
  const { localName: name, number, oneof, message } = field;
  return { name, number, kind, type, oneof: oneof?.localName, message };
}

function kindOf(field: DescField): Field['kind'] | undefined {
  if (field.fieldKind === 'list') return isListHandled(field) ? 'list' : undefined;
  if (field.fieldKind === 'map') return isMapHandled(field) ? 'map' : undefined;
  if (field.oneof) return 'oneof';
  return field.presence === IMPLICIT ? 'implicit' : 'optional';
}

/** Lists of numbers are packed: written one after another, under one tag. The protocol has no others. */
function isListHandled(field: DescField & { fieldKind: 'list' }): boolean {
  if (field.listKind === 'enum') return false;
  const hasLengths =
    field.scalar === undefined || [ScalarType.STRING, ScalarType.BYTES].includes(field.scalar);
  return field.packed !== hasLengths;
}

function isMapHandled({ mapKey, mapKind, scalar }: DescField & { fieldKind: 'map' }): boolean {
  return mapKey === ScalarType.STRING && mapKind === 'scalar' && scalar !== ScalarType.BYTES;
}

function typeOf(field: DescField, isCompiled: (message: DescMessage) => boolean): ValueType | undefined {
  if (field.message) {
    if (isCompiled(field.message)) return 'message';
    return field.fieldKind === 'message' && !field.oneof ? 'foreign' : undefined;
  }
  // An open enum keeps numbers that it does not name, as an int32 does.
  if (field.fieldKind === 'enum')
    return field.enum.open && field.enum.values[0]?.number === 0 ? 'int32' : undefined;
  return field.scalar === undefined ? undefined : TYPES[field.scalar];
}
