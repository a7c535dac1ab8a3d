import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { create, fromBinary, toBinary } from '@parley/codec';
import type { Code } from '@connectrpc/connect';
import { ConnectError } from '@connectrpc/connect';

export function encode<D extends DescMessage>(schema: D, message: MessageInitShape<D>): Buffer {
  const bytes = toBinary(schema, create(schema, message));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Throws an error of the given code when the bytes do not encode such a message. */
export function decode<D extends DescMessage>(schema: D, bytes: Buffer, code: Code): MessageShape<D> {
  try {
    // A plain view, so that byte fields are plain, too.
    return fromBinary(schema, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (cause) {
    throw new ConnectError(`not a ${schema.typeName}`, code, undefined, undefined, cause);
  }
}
