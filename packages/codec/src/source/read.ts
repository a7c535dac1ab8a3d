import type { Field } from '../fields.ts';
import { child, KEY_TAG, packedTagOf, property, quote, tagOf, valueTagOf } from './names.ts';

/** Source of `read(message, reader, end)`. Fields that the type does not have are kept, as the library keeps them. */
export function readSource(fields: readonly Field[]): string {
  return `
function read(message, reader, end) {
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      ${fields.flatMap((field, index) => casesOf(index, field)).join('\n      ')}
      default: (message.$unknown ??= []).push(reader.skip(tag));
    }
  }
  if (reader.pos !== end) throw new RangeError('a field ends behind its message');
}`;
}

function casesOf(index: number, field: Field): string[] {
  const cases = [`case ${tagOf(field)}: { ${readField(index, field)} break; }`];
  const packedTag = packedTagOf(field);
  if (packedTag !== undefined) {
    const list = property('message', field.name);
    const each = `while (reader.pos < last) ${list}.push(reader.${field.type}());`;
    cases.push(`case ${packedTag}: { const last = reader.endOfValue(); ${each} break; }`);
  }
  return cases;
}

function readField(index: number, field: Field): string {
  const place = property('message', field.name);
  switch (field.kind) {
    case 'list':
      return `${readValue(index, field, undefined)} ${place}.push(value);`;
    case 'map':
      return readEntry(index, field, place);
    case 'oneof': {
      const oneof = property('message', field.oneof ?? '');
      const present = `${oneof}.case === ${quote(field.name)} ? ${oneof}.value : undefined`;
      return `${readValue(index, field, present)} ${oneof} = { case: ${quote(field.name)}, value };`;
    }
    default:
      return `${readValue(index, field, place)} ${place} = value;`;
  }
}

/** Declares `value`. A message that is there already is read into, since its fields may come in several pieces. */
function readValue(index: number, field: Field, present: string | undefined): string {
  if (field.type === 'foreign')
    return `const value = library.decode(${quote(field.name)}, ${present}, tag, reader.skip(tag).data);`;
  if (field.type !== 'message') return `const value = reader.${field.type}();`;
  const empty = `${child(index)}.empty()`;
  const message = present === undefined ? empty : `(${present}) ?? ${empty}`;
  return `const last = reader.endOfValue(); const value = ${message}; ${child(index)}.read(value, reader, last);`;
}

const ZEROS = {
  string: `''`,
  double: '0',
  bool: 'false',
  bytes: 'new Uint8Array(0)',
  int32: '0',
  uint32: '0',
};

function readEntry(index: number, field: Field, map: string): string {
  const { type } = field;
  if (type === 'message' || type === 'foreign')
    throw new Error(`no map of messages: ${field.name} (${index})`);
  return `
    const last = reader.endOfValue();
    let key = ''; let value = ${ZEROS[type]};
    while (reader.pos < last) {
      const tag = reader.tag();
      if (tag === ${KEY_TAG}) key = reader.string();
      else if (tag === ${valueTagOf(field)}) value = reader.${type}();
      else reader.skip(tag);
    }
    library.setOwn(${map}, key, value);`;
}
