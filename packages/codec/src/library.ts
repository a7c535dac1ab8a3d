import { create, fromBinary, toBinary, type DescMessage } from '@bufbuild/protobuf';

type Values = Record<string, unknown>;
type Create = (init: object) => object;

/** The functions that the compiled functions of a type call: helpers, and the library for `foreign` fields, whose types are not compiled. */
export type Library = {
  /** A foreign field as it is encoded, with its tag. */
  encode(name: string, value: unknown): Uint8Array;
  /** Sets the foreign fields of a message after pieces of them were read; each piece has its tag. */
  decode(message: Values, pieces: readonly Uint8Array[]): void;
  /** A given value as the message holds it. */
  toForeign(name: string, value: unknown): unknown;
  toMessage(value: unknown, create: Create): unknown;
  toMessages(values: unknown, create: Create): unknown;
  toBytes(value: unknown): unknown;
  toBytesList(values: unknown): unknown;
  /** Sets an entry of a map, also one with the key `__proto__`. */
  setOwn(map: Values, key: string, value: unknown): void;
};

/** `foreign`: the names of the foreign fields. */
export function libraryFor(schema: DescMessage, foreign: readonly string[]): Library {
  function messageWith(name: string, value: unknown): Values {
    return create(schema, { [name]: value } as never) as unknown as Values;
  }
  function encode(name: string, value: unknown): Uint8Array {
    return toBinary(schema, messageWith(name, value) as never);
  }
  return {
    encode,
    decode(message, pieces) {
      const earlier = foreign
        .filter((name) => message[name] !== undefined)
        .map((name) => encode(name, message[name]));
      const found = fromBinary(schema, Buffer.concat([...earlier, ...pieces])) as unknown as Values;
      for (const name of foreign) if (found[name] !== undefined) message[name] = found[name];
    },
    toForeign: (name, value) => messageWith(name, value)[name],
    toMessage,
    toMessages: (values, createMessage) =>
      Array.isArray(values) ? values.map((value) => toMessage(value, createMessage)) : (values ?? []),
    toBytes,
    toBytesList: (values) => (Array.isArray(values) ? values.map(toBytes) : (values ?? [])),
    setOwn: (map, key, value) =>
      Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true }),
  };
}

function toMessage(value: unknown, createMessage: Create): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? createMessage(value) : value;
}

function toBytes(value: unknown): unknown {
  return Array.isArray(value) ? Uint8Array.from(value as number[]) : value;
}
