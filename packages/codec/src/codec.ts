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

/** By schema; null for one whose functions cannot be compiled. */
const codecs = new WeakMap<DescMessage, Codec | null>();
const writer = new Writer();

/** The encoding of a message, as `toBinary` of @bufbuild/protobuf gives it, by functions compiled for its type. */
export function toBinary<D extends DescMessage>(
  schema: D,
  message: MessageShape<D>,
): Uint8Array<ArrayBuffer> {
  const codec = codecOf(schema);
  if (codec === null) return toBinaryByLibrary(schema, message);
  writer.begin();
  codec.write(message, writer);
  return writer.finish();
}

/** The message that the bytes encode, as `fromBinary` of @bufbuild/protobuf gives it. Fields of bytes are views of `bytes`. */
export function fromBinary<D extends DescMessage>(schema: D, bytes: Uint8Array): MessageShape<D> {
  const codec = codecOf(schema);
  if (codec === null) return fromBinaryByLibrary(schema, bytes);
  const message = codec.empty();
  codec.read(message, new Reader(bytes), bytes.byteLength);
  return message as MessageShape<D>;
}

/** A message with these values, as `create` of @bufbuild/protobuf gives it. */
export function create<D extends DescMessage>(schema: D, init?: MessageInitShape<D>): MessageShape<D> {
  const codec = codecOf(schema);
  if (codec === null) return createByLibrary(schema, init);
  return (init === undefined ? codec.empty() : codec.create(init)) as MessageShape<D>;
}

/** Whether functions are compiled for a type; the library encodes and decodes messages of the others. */
export function isCompiled(schema: DescMessage): boolean {
  return codecOf(schema) !== null;
}

function codecOf(schema: DescMessage): Codec | null {
  let codec = codecs.get(schema);
  if (codec === undefined) codecs.set(schema, (codec = compile(schema, codecOf)));
  return codec;
}
