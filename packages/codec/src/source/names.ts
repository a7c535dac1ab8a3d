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

/** The tag of a field whose values are each written with a tag. */
export function tagOf({ number, type, kind }: Field): number {
  return ((number << 3) | (kind === 'map' ? WireType.LengthDelimited : WIRE_TYPES[type])) >>> 0;
}

/** The tag of a list whose values are written behind one another; undefined for lists that never are. */
export function packedTagOf({ number, type, kind }: Field): number | undefined {
  if (kind !== 'list' || WIRE_TYPES[type] === WireType.LengthDelimited) return undefined;
  return ((number << 3) | WireType.LengthDelimited) >>> 0;
}

/** The tags within an entry of a map. */
export const KEY_TAG = (1 << 3) | WireType.LengthDelimited;

export function valueTagOf({ type }: Field): number {
  return (2 << 3) | WIRE_TYPES[type];
}

/** A text as source. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** A property of an expression. */
export function property(of: string, name: string): string {
  return `${of}[${quote(name)}]`;
}

/** The functions of the type of a field. */
export function child(index: number): string {
  return `child${index}`;
}
