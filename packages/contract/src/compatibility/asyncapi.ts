import { at } from './resolve.ts';
import { compareSchemas, type Direction } from './schema.ts';

type Reference = { $ref: string };
type Message = { payload: unknown; headers?: unknown };
type Server = { protocol: string; security?: Reference[] };
type Operation = {
  action: string;
  channel: Reference;
  messages?: Reference[];
  reply?: { messages?: Reference[] };
};

/** An AsyncAPI 3.0 document, as far as compatibility is concerned. */
export type AsyncApiDocument = {
  info: { version: string };
  servers?: Record<string, Server>;
  channels?: Record<string, { address?: string | null; 'x-close-codes'?: object }>;
  operations?: Record<string, Operation>;
};

type Documents = { before: AsyncApiDocument; after: AsyncApiDocument };

/**
 * Changes of a newer document that break clients of an older one, one sentence each: servers, channels, operations, messages, headers
 * and properties that are gone, and what has to be sent now. Nothing when the first number of the version has risen.
 */
export function compareAsyncApi(before: AsyncApiDocument, after: AsyncApiDocument): string[] {
  if (Number.parseInt(after.info.version, 10) > Number.parseInt(before.info.version, 10)) return [];
  const documents = { before, after };
  return [...compareServers(documents), ...compareChannels(documents), ...compareOperations(documents)];
}

/** A client keeps its way to log in. */
function compareServers({ before, after }: Documents): string[] {
  return Object.entries(before.servers ?? {}).flatMap(([name, old]) => {
    const fresh = after.servers?.[name];
    if (!fresh) return [`server ${name} is gone`];
    const left = new Set((fresh.security ?? []).map(({ $ref }) => $ref));
    const gone = (old.security ?? []).filter(({ $ref }) => !left.has($ref));
    return [
      ...(fresh.protocol === old.protocol ? [] : [`server ${name} has another protocol`]),
      ...gone.map(({ $ref }) => `server ${name} does not take ${$ref.split('/').at(-1)} any more`),
    ];
  });
}

function compareChannels({ before, after }: Documents): string[] {
  return Object.entries(before.channels ?? {}).flatMap(([name, old]) => {
    const fresh = after.channels?.[name];
    if (!fresh) return [`channel ${name} is gone`];
    const codes = Object.keys(fresh['x-close-codes'] ?? {});
    const gone = Object.keys(old['x-close-codes'] ?? {}).filter((code) => !codes.includes(code));
    return [
      ...(fresh.address === old.address ? [] : [`channel ${name} has another address`]),
      ...gone.map((code) => `channel ${name} does not close with ${code} any more`),
    ];
  });
}

function compareOperations(documents: Documents): string[] {
  const { before, after } = documents;
  return Object.entries(before.operations ?? {}).flatMap(([id, old]) => {
    const fresh = after.operations?.[id];
    if (!fresh) return [`operation ${id} is gone`];
    if (fresh.action !== old.action) return [`operation ${id} has another action`];
    const direction = old.action === 'receive' ? 'input' : 'output';
    return [
      ...(fresh.channel.$ref === old.channel.$ref ? [] : [`operation ${id} has another channel`]),
      ...compareMessages(documents, direction, { old: old.messages, fresh: fresh.messages, id }),
      ...compareMessages(documents, 'output', {
        old: old.reply?.messages,
        fresh: fresh.reply?.messages,
        id,
      }),
    ];
  });
}

type Messages = { old: Reference[] | undefined; fresh: Reference[] | undefined; id: string };

function compareMessages(
  { before, after }: Documents,
  direction: Direction,
  { old = [], fresh = [], id }: Messages,
): string[] {
  const left = new Set(fresh.map(({ $ref }) => $ref));
  return old.flatMap(({ $ref }) => {
    const path = `${id} ${$ref.split('/').at(-1)}`;
    if (!left.has($ref)) return [`${path}: the message is gone`];
    const [old, now] = [messageAt(before, $ref), messageAt(after, $ref)];
    const comparison = { before, after, direction };
    return [
      ...compareSchemas(comparison, { before: old.payload, after: now.payload, path }),
      ...compareSchemas(comparison, {
        before: old.headers ?? {},
        after: now.headers ?? {},
        path: `${path} headers`,
      }),
    ];
  });
}

/** `reference`: of a message of a channel, which refers to a component. Fails with an Error when either is missing. */
function messageAt(document: AsyncApiDocument, reference: string): Message {
  const { $ref } = at(document, reference) as Reference;
  return at(document, $ref) as Message;
}
