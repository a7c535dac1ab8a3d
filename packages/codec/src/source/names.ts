import type { ValueType } from '../fields.ts';

/** The source of the value that an implicit field has at first. */
export const ZEROS: Record<ValueType, string> = {
  string: `''`,
  double: '0',
  bool: 'false',
  bytes: 'new Uint8Array(0)',
  int32: '0',
  uint32: '0',
  message: 'undefined',
  foreign: 'undefined',
};

/** A text as source. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** A property of an expression. */
export function property(of: string, name: string): string {
  return `${of}[${quote(name)}]`;
}

/** The variable that holds the functions for the messages of a field. `index`: of the field in its type. */
export function codecName(index: number): string {
  return `codec${index}`;
}
