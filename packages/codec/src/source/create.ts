import type { DescMessage } from '@bufbuild/protobuf';
import type { Field } from '../fields.ts';
import { codecName, property, quote, ZEROS } from './names.ts';

/** Source of `empty()` and `create(init)`. Their messages have the same properties in the same order; optional ones follow when they are set. */
export function createSource({ typeName }: DescMessage, fields: readonly Field[]): string {
  const members = membersOf(fields);
  const type = `$typeName: ${quote(typeName)}`;
  const of = (values: string[]): string => `{ ${[type, ...values].join(', ')} }`;
  const optional = [...fields.entries()].filter(([, { kind }]) => kind === 'optional');
  return `
function empty() {
  return ${of(members.map(({ name, empty }) => `${quote(name)}: ${empty}`))};
}
function create(init) {
  if (init.$typeName === ${quote(typeName)}) return init;
  const message = ${of(members.map(({ name, given }) => `${quote(name)}: ${given}`))};
  ${optional.map(([index, field]) => setOptional(index, field)).join('\n  ')}
  return message;
}
${members.map(({ functions }) => functions).join('\n')}`;
}

/** A property that every message has. */
type Member = { name: string; empty: string; given: string; functions: string };

function membersOf(fields: readonly Field[]): Member[] {
  const members: Member[] = [];
  const oneofs = new Set<string>();
  for (const [index, field] of fields.entries()) {
    if (field.oneof === undefined) members.push(...memberOf(index, field));
    else if (!oneofs.has(field.oneof)) members.push(oneofOf(field.oneof, fields, oneofs.size));
    if (field.oneof !== undefined) oneofs.add(field.oneof);
  }
  return members;
}

function memberOf(index: number, { name, kind, type }: Field): Member[] {
  const value = property('init', name);
  const member = (empty: string, given = `${value} ?? ${empty}`): Member[] => [
    { name, empty, given, functions: '' },
  ];
  if (kind === 'optional') return [];
  if (kind === 'map') return member('{}');
  if (kind === 'list') {
    if (type === 'message') return member('[]', `library.toMessages(${value}, ${codecName(index)}.create)`);
    return type === 'bytes' ? member('[]', `library.toBytesList(${value})`) : member('[]');
  }
  const zero = ZEROS[type];
  return type === 'bytes' ? member(zero, `library.toBytes(${value} ?? ${zero})`) : member(zero);
}

function oneofOf(name: string, fields: readonly Field[], number: number): Member {
  const cases = [...fields.entries()]
    .filter(([, field]) => field.oneof === name)
    .map(([index, field]) => {
      const value = convert(index, field, 'oneof.value');
      return `case ${quote(field.name)}: return { case: ${quote(field.name)}, value: ${value} };`;
    });
  return {
    name,
    empty: '{ case: undefined }',
    given: `oneof${number}(${property('init', name)})`,
    functions: `
function oneof${number}(oneof) {
  switch (oneof?.case) {
    ${cases.join('\n    ')}
    default: return { case: undefined };
  }
}`,
  };
}

function setOptional(index: number, field: Field): string {
  const target = property('message', field.name);
  return `{ const value = ${property('init', field.name)}; if (value != null) ${target} = ${convert(index, field, 'value')}; }`;
}

/** A value that was given, as the message holds it. */
function convert(index: number, { type, name }: Field, value: string): string {
  if (type === 'message') return `library.toMessage(${value}, ${codecName(index)}.create)`;
  if (type === 'foreign') return `library.toForeign(${quote(name)}, ${value})`;
  return type === 'bytes' ? `library.toBytes(${value})` : value;
}
