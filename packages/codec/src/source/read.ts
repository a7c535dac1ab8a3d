import type { Field } from '../fields.ts';
import { codecName, property, quote, ZEROS } from './names.ts';
import { KEY_TAG, packedTagOf, tagOf, valueTagOf } from './tags.ts';

/** Source of `read(message, reader, end)`. Fields that the type does not have are kept, as the library keeps them. */
export function readSource(fields: readonly Field[]): string {
  const hasForeign = fields.some(({ type }) => type === 'foreign');
  return `
function read(message, reader, end) {
  ${hasForeign ? 'let pieces;' : ''}
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      ${fields.flatMap((field, index) => casesOf(index, field)).join('\n      ')}
      default: (message.$unknown ??= []).push(reader.unknown(tag));
    }
  }
  if (reader.pos !== end) throw new RangeError('malformed protobuf: a field ends behind its message');
  ${hasForeign ? 'if (pieces !== undefined) library.decode(message, pieces);' : ''}
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
  const target = property('message', field.name);
  if (field.type === 'foreign') return '(pieces ??= []).push(reader.encoded(tag));';
  switch (field.kind) {
    case 'list':
      return `${readValue(index, field, undefined)} ${target}.push(value);`;
    case 'map':
      return readEntry(field, target);
    case 'oneof': {
      const oneof = property('message', field.oneof ?? '');
      const present = `${oneof}.case === ${quote(field.name)} ? ${oneof}.value : undefined`;
      return `${readValue(index, field, present)} ${oneof} = { case: ${quote(field.name)}, value };`;
    }
    default:
      return `${readValue(index, field, target)} ${target} = value;`;
  }
}

/** Declares `value`. A message that is there already is read into, since its fields may come in several pieces. */
function readValue(index: number, field: Field, present: string | undefined): string {
  if (field.type !== 'message') return `const value = reader.${field.type}();`;
  const empty = `${codecName(index)}.empty()`;
  const message = present === undefined ? empty : `(${present}) ?? ${empty}`;
  return `const last = reader.endOfValue(); const value = ${message}; ${codecName(index)}.read(value, reader, last);`;
}

function readEntry(field: Field, map: string): string {
  const { type } = field;
  return `
    const last = reader.endOfValue();
    let key = ''; let value = ${ZEROS[type]};
    while (reader.pos < last) {
      const tag = reader.tag();
      if (tag === ${KEY_TAG}) key = reader.string();
      else if (tag === ${valueTagOf(field)}) value = reader.${type}();
      else reader.unknown(tag);
    }
    library.setOwn(${map}, key, value);`;
}
