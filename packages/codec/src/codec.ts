import {
  create as createByLibrary,
  fromBinary as fromBinaryByLibrary,
  toBinary as toBinaryByLibrary,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { compile, type Codec } from './compile.ts';
import { Reader } from './reader.ts';
import { Writer } from './writer.ts';

/** Codecs by schema; null for a type that is left to the library. */
const CODECS = new WeakMap<DescMessage, Codec | null>();

/** Undefined while a message is being written, since a getter of that message might write another. */
let spare: Writer | undefined = new Writer();

/**
 * The encoding of a message: what `toBinary` of @bufbuild/protobuf gives, by functions compiled for its type. Throws for
 * strings, byte arrays and integers of the wrong type or range, some of which the library converts; doubles and booleans are converted, as the library does.
 */
export function toBinary<D extends DescMessage>(
  schema: D,
  message: MessageShape<D>,
): Uint8Array<ArrayBuffer> {
  const codec = codecOf(schema);
  if (codec === null) return toBinaryByLibrary(schema, message);
  const writer = spare ?? new Writer();
  spare = undefined;
  try {
    writer.begin();
    codec.write(message, writer);
    return writer.finish();
  } catch (cause) {
    throw new Error(`cannot encode ${schema.typeName}: ${reasonOf(cause)}`, { cause });
  } finally {
    spare = writer;
  }
}

/**
 * The message that the bytes encode: what `fromBinary` of @bufbuild/protobuf gives. Fields of bytes are views of `bytes`. Throws for malformed
 * bytes. A field whose wire type is not the declared one is kept as an unknown field, and a field that runs past the end of its message is refused;
 * the library reads both as if they were valid.
 */
export function fromBinary<D extends DescMessage>(schema: D, bytes: Uint8Array): MessageShape<D> {
  const codec = codecOf(schema);
  if (codec === null) return fromBinaryByLibrary(schema, bytes);
  const message = codec.empty();
  codec.read(message, new Reader(bytes), bytes.byteLength);
  return message as MessageShape<D>;
}

/** A message with these values: what `create` of @bufbuild/protobuf gives. */
export function create<D extends DescMessage>(schema: D, init?: MessageInitShape<D>): MessageShape<D> {
  const codec = codecOf(schema);
  if (codec === null) return createByLibrary(schema, init);
  return (init == null ? codec.empty() : codec.create(init)) as MessageShape<D>;
}

/** Whether functions are compiled for a type; messages of the others are left to the library. */
export function isCompiled(schema: DescMessage): boolean {
  return codecOf(schema) !== null;
}

function codecOf(schema: DescMessage): Codec | null {
  let codec = CODECS.get(schema);
  if (codec === undefined) CODECS.set(schema, (codec = compile(schema, codecOf)));
  return codec;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
