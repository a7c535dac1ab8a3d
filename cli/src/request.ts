import {
  fromJson,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
} from '@bufbuild/protobuf';

/** Options by commander's names: camel case, like the JSON names of the fields. */
export type Options = Record<string, JsonValue>;

/** Puts the request together. Throws when it does not fit the message. */
export function readRequest(
  input: DescMessage,
  { json, options }: { json: string | undefined; options: Options },
): Message {
  return fromJson(input, {
    ...(json === undefined ? {} : renameFields(input, parseObject(json))),
    ...options,
  });
}

function parseObject(text: string): JsonObject {
  const value = JSON.parse(text) as JsonValue;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('the request must be a JSON object');
  }
  return value;
}

// Fields may be written as the API shows them, app_uuid, or as JSON names, appUuid: options are the latter.
function renameFields(input: DescMessage, given: JsonObject): JsonObject {
  const jsonNames = new Map(input.fields.map((field) => [field.name, field.jsonName]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [jsonNames.get(name) ?? name, value]),
  );
}
