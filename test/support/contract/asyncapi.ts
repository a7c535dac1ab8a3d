import { request } from 'undici';
import { isObject, type JsonObject, type JsonValue } from './schema.ts';
import { createValidator, type Validate } from './validator.ts';

/** Packets as the AsyncAPI document of a gateway describes them. */
export type DescribedPackets = {
  /** Says how a packet of the platform differs from every description; undefined: it fits one of them. */
  problemOf(packet: unknown): string | undefined;
  /** The names of all descriptions that fit a packet. */
  kindsOf(packet: unknown): string[];
};

const loaded = new Map<string, Promise<DescribedPackets | undefined>>();

/** The descriptions of the gateway at this address; undefined: they cannot be read now. */
export function describedPackets(baseUrl: string): Promise<DescribedPackets | undefined> {
  const known = loaded.get(baseUrl);
  if (known) return known;
  const described = read(baseUrl).catch(() => void loaded.delete(baseUrl));
  loaded.set(baseUrl, described);
  return described;
}

async function read(baseUrl: string): Promise<DescribedPackets | undefined> {
  const response = await request(`${baseUrl}/asyncapi.json`);
  // The release before the first description has none.
  if (response.statusCode !== 200) return void (await response.body.dump());
  const document = (await response.body.json()) as JsonObject;
  const { components } = document;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const validator = createValidator(schemas);
  const candidates = sentBySocket(document).map((name) => ({
    name,
    validate: validator({ $ref: `#/components/schemas/${name}` }),
  }));
  return {
    problemOf: createCheck(candidates),
    kindsOf: (packet) =>
      candidates.filter(({ validate }) => validate(packet) === undefined).map(({ name }) => name),
  };
}

type Candidate = { name: string; validate: Validate };

/** Packets of one kind fit the same description, so that which fitted the last one is tried first. */
function createCheck(candidates: readonly Candidate[]): DescribedPackets['problemOf'] {
  const lastByKind = new Map<string, Candidate>();
  return (packet) => {
    const kind = kindOf(packet as JsonValue);
    const last = lastByKind.get(kind);
    if (last && last.validate(packet) === undefined) return undefined;
    const fitting = candidates.find(({ validate }) => validate(packet) === undefined);
    if (!fitting) return `no packet is described like this (${kind}): ${nearest(candidates, packet)}`;
    lastByKind.set(kind, fitting);
    return undefined;
  };
}

function kindOf(packet: JsonValue): string {
  if (!isObject(packet)) return 'no object';
  const { body } = packet;
  const { method, success, operation, object } = isObject(body) ? body : {};
  const type = isObject(object) ? object['type'] : undefined;
  return [packet['type'], method, success, operation, type].filter((part) => part !== undefined).join(' ');
}

/** The differences from the nearest description. */
function nearest(candidates: readonly Candidate[], packet: unknown): string {
  const problems = candidates.map(({ name, validate }) => `${name}: ${validate(packet) ?? ''}`);
  return problems.sort((a, b) => a.length - b.length)[0] ?? '';
}

/** Names of the schemas of all packets that the platform sends to a socket, responses included. */
function sentBySocket(document: JsonObject): string[] {
  const { operations } = document;
  const references = Object.values(isObject(operations) ? operations : {}).flatMap((operation) => {
    if (!isObject(operation) || !isOfSocket(operation)) return [];
    const sending = operation['action'] === 'send' ? operation : operation['reply'];
    return isObject(sending) ? messagesOf(sending) : [];
  });
  return [...new Set(references)].map((name) => payloadOf(document, name));
}

function isOfSocket({ channel }: JsonObject): boolean {
  return isObject(channel) && channel['$ref'] === '#/channels/socket';
}

/** The last word of each reference: the name of the message. */
function messagesOf({ messages }: JsonObject): string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) => (isObject(message) ? lastWord(message['$ref']) : []));
}

function payloadOf({ components }: JsonObject, message: string): string {
  const messages = isObject(components) ? components['messages'] : undefined;
  const described = isObject(messages) ? messages[message] : undefined;
  const payload = isObject(described) ? described['payload'] : undefined;
  const [name] = isObject(payload) ? lastWord(payload['$ref']) : [];
  if (name === undefined) throw new Error(`the message ${message} has no payload among the components`);
  return name;
}

function lastWord(reference: JsonValue | undefined): string[] {
  return typeof reference === 'string' ? [reference.slice(reference.lastIndexOf('/') + 1)] : [];
}
