import { compileFunction } from 'node:vm';
import type { DescMessage } from '@bufbuild/protobuf';
import { fieldOf, type Field } from './fields.ts';
import { libraryFor } from './library.ts';
import type { Reader } from './reader.ts';
import { createSource } from './source/create.ts';
import { codecName } from './source/names.ts';
import { readSource } from './source/read.ts';
import { writeSource } from './source/write.ts';
import type { Writer } from './writer.ts';

/** The functions of one type of message. */
export type Codec = {
  empty(): object;
  create(init: object): object;
  write(message: object, writer: Writer): void;
  /** Reads up to `end` into a message. */
  read(message: object, reader: Reader, end: number): void;
};

/** Gives the functions of a type; null if they cannot be compiled. */
type CodecOf = (schema: DescMessage) => Codec | null;

const PROTO3 = 999;
/** The library gives some of Google's types other shapes, such as plain JSON for a Struct. */
const GOOGLE_TYPES = 'google.protobuf.';

/** Compiles the functions of a type; null if it has to be left to the library. */
export function compile(schema: DescMessage, codecOf: CodecOf): Codec | null {
  if (schema.file.edition !== PROTO3 || schema.typeName.startsWith(GOOGLE_TYPES)) return null;
  if (containsItself(schema)) return null;
  const fields = schema.fields.map((field) => fieldOf(field, (message) => codecOf(message) !== null));
  if (!fields.every((field) => field !== undefined)) return null;
  const codecs = fields.map(({ message }) => (message ? codecOf(message) : null));
  const foreign = fields.filter(({ type }) => type === 'foreign').map(({ name }) => name);
  const makeCodec = compileFunction(sourceOf(schema, fields), ['codecs', 'library'], {
    filename: `codec:${schema.typeName}`,
  });
  return makeCodec(codecs, libraryFor(schema, foreign)) as Codec;
}

function sourceOf(schema: DescMessage, fields: readonly Field[]): string {
  const codecs = fields.flatMap(({ type }, index) =>
    type === 'message' ? [`const ${codecName(index)} = codecs[${index}];`] : [],
  );
  const functions = [createSource(schema, fields), writeSource(schema, fields), readSource(fields)];
  return [`'use strict';`, ...codecs, ...functions, 'return { empty, create, write, read };'].join('\n');
}

/** Such messages can nest to any depth; the library limits that. */
function containsItself(schema: DescMessage): boolean {
  const seen = new Set<DescMessage>();
  const visit = ({ fields }: DescMessage): boolean =>
    fields.some(({ message }) => {
      if (!message || seen.has(message)) return false;
      seen.add(message);
      return message === schema || visit(message);
    });
  return visit(schema);
}
