import { create, fromBinary, toBinary, type DescMessage } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';

type Values = Record<string, unknown>;
type Create = (init: object) => object;

/** What the compiled functions of a type call: helpers, and the library for fields whose types are not compiled. */
export type Library = {
  /** A field as it is encoded, with its tag. */
  encode(name: string, value: unknown): Uint8Array;
  /** The value of a field after one more piece of it was read; `data` is the piece without its tag. */
  decode(name: string, present: unknown, tag: number, data: Uint8Array): unknown;
  /** A value for a field, as the message holds it. */
  convert(name: string, value: unknown): unknown;
  toMessage(value: unknown, create: Create): unknown;
  toBytes(value: unknown): unknown;
  mapList(values: unknown, convert: (value: object) => unknown): unknown;
  /** Sets an entry of a map, whatever its key is. */
  setOwn(map: Values, key: string, value: unknown): void;
};

export function libraryFor(schema: DescMessage): Library {
  const alone = (name: string, value: unknown): Values =>
    create(schema, { [name]: value } as never) as unknown as Values;
  const encode = (name: string, value: unknown): Uint8Array<ArrayBuffer> =>
    toBinary(schema, alone(name, value) as never);
  return {
    encode,
    decode(name, present, tag, data) {
      const writer = new BinaryWriter();
      if (present !== undefined) writer.raw(encode(name, present));
      const bytes = writer.uint32(tag).raw(data).finish();
      return (fromBinary(schema, bytes) as unknown as Values)[name];
    },
    convert: (name, value) => alone(name, value)[name],
    toMessage: (value, createMessage) => (isObject(value) ? createMessage(value) : value),
    toBytes: (value) => (Array.isArray(value) ? Uint8Array.from(value as number[]) : value),
    mapList: (values, convert) =>
      Array.isArray(values) ? values.map((value: object) => convert(value)) : (values ?? []),
    setOwn: (map, key, value) =>
      Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
