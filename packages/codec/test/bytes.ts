import { create, toBinary, type DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** The library's encoding of a message with these values. */
export function encoded(schema: DescMessage, init: never): Buffer {
  return Buffer.from(toBinary(schema, create(schema, init)));
}

export function bytesOf(write: (writer: BinaryWriter) => BinaryWriter): Uint8Array {
  return write(new BinaryWriter()).finish();
}
