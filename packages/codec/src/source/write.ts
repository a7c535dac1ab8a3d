import type { DescMessage } from '@bufbuild/protobuf';
import type { Field } from '../fields.ts';
import { codecName, property, quote } from './names.ts';
import { KEY_TAG, packedTagOf, tagOf, valueTagOf } from './tags.ts';

/** Source of `write(message, writer)`, which writes the fields in the order of their numbers. */
export function writeSource({ typeName }: DescMessage, fields: readonly Field[]): string {
  const sorted = [...fields.entries()].sort(([, a], [, b]) => a.number - b.number);
  return `
function write(message, writer) {
  if (message.$typeName !== ${quote(typeName)})
    throw new TypeError('the message is a ' + message.$typeName);
  ${groupByOneof(sorted).map(writeGroup).join('\n  ')}
  if (message.$unknown !== undefined) writer.unknown(message.$unknown);
}`;
}

type Numbered = [index: number, field: Field];

/** Neighbours of one oneof are one group; every other field is a group of its own. */
function groupByOneof(fields: readonly Numbered[]): Numbered[][] {
  const groups: Numbered[][] = [];
  for (const one of fields) {
    const last = groups.at(-1);
    const oneof = last?.[0]?.[1].oneof;
    if (last && oneof !== undefined && oneof === one[1].oneof) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

function writeGroup(group: readonly Numbered[]): string {
  const [first] = group;
  if (!first) return '';
  const [index, field] = first;
  if (field.oneof === undefined) return writeField(index, field);
  const cases = group.map(
    ([index, field]) =>
      `case ${quote(field.name)}: { const value = oneof.value; ${writeOne(index, field)} break; }`,
  );
  return `{ const oneof = ${property('message', field.oneof)}; switch (oneof.case) { ${cases.join(' ')} } }`;
}

function writeField(index: number, field: Field): string {
  const take = `const value = ${property('message', field.name)};`;
  switch (field.kind) {
    case 'implicit':
      return `{ ${take} if (${isSet(field)}) { ${writeOne(index, field)} } }`;
    case 'list':
      return `{ ${take} ${writeList(index, field)} }`;
    case 'map':
      return `{ ${take} ${writeMap(index, field)} }`;
    default:
      return `{ ${take} if (value !== undefined) { ${writeOne(index, field)} } }`;
  }
}

/** Whether an implicit value is written. As a double, -0 is. Values of the wrong type also count as set, so that they reach the writer's checks. */
function isSet({ type }: Field): string {
  if (type === 'string') return `value !== ''`;
  if (type === 'bytes') return 'value.byteLength !== 0';
  if (type === 'double') return '!Object.is(value, 0)';
  return type === 'bool' ? 'value !== false' : 'value !== 0';
}

function writeOne(index: number, field: Field): string {
  if (field.type === 'foreign') return `writer.raw(library.encode(${quote(field.name)}, value));`;
  return `writer.varint(${tagOf(field)}); ${writeValue(index, field, 'value')}`;
}

function writeValue(index: number, { type }: Field, value: string): string {
  if (type !== 'message') return `writer.${type}(${value});`;
  return `const start = writer.fork(); ${codecName(index)}.write(${value}, writer); writer.join(start);`;
}

function writeList(index: number, field: Field): string {
  const packedTag = packedTagOf(field);
  const element = writeValue(index, field, 'value[at]');
  const each = (body: string): string => `for (let at = 0; at < value.length; at++) { ${body} }`;
  if (packedTag === undefined) return each(`writer.varint(${tagOf(field)}); ${element}`);
  return `if (value.length > 0) { writer.varint(${packedTag}); const start = writer.fork(); ${each(element)} writer.join(start); }`;
}

function writeMap(index: number, field: Field): string {
  return `for (const key of Object.keys(value)) {
    writer.varint(${tagOf(field)});
    const start = writer.fork();
    writer.varint(${KEY_TAG}); writer.string(key);
    writer.varint(${valueTagOf(field)}); ${writeValue(index, field, 'value[key]')}
    writer.join(start);
  }`;
}
