import { WireType } from '@bufbuild/protobuf/wire';
import type { Field, ValueType } from '../fields.ts';

const WIRE_TYPES: Record<ValueType, WireType> = {
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  message: WireType.LengthDelimited,
  foreign: WireType.LengthDelimited,
  double: WireType.Bit64,
  bool: WireType.Varint,
  int32: WireType.Varint,
  uint32: WireType.Varint,
};

/** The tag of a value, of an element that is written with a tag of its own, or of an entry of a map. */
export function tagOf({ number, type, kind }: Field): number {
  return ((number << 3) | (kind === 'map' ? WireType.LengthDelimited : WIRE_TYPES[type])) >>> 0;
}

/** The tag of a packed list, whose elements are written one after another; undefined if each element always has a tag of its own. */
export function packedTagOf({ number, type, kind }: Field): number | undefined {
  if (kind !== 'list' || WIRE_TYPES[type] === WireType.LengthDelimited) return undefined;
  return ((number << 3) | WireType.LengthDelimited) >>> 0;
}

/** The tag of the key within an entry of a map. */
export const KEY_TAG = (1 << 3) | WireType.LengthDelimited;

/** The tag of the value within an entry of a map. */
export function valueTagOf({ type }: Field): number {
  return (2 << 3) | WIRE_TYPES[type];
}
