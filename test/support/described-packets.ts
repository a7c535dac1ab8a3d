import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { call } from './http.ts';
import type { Packet } from './socket.ts';

type Document = {
  components: { schemas: Record<string, object>; messages: Record<string, { payload: { $ref: string } }> };
  channels: { socket: { messages: Record<string, object> } };
};

/** Says which kinds of packets the document of the running gateway takes a packet for; it knows no further properties. */
export type DescribedPackets = { kindsOf(packet: Packet): string[] };

export async function describedPackets(baseUrl: string): Promise<DescribedPackets> {
  const { components, channels } = (await call('GET', `${baseUrl}/asyncapi.json`, 200)).body as Document;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ components: { schemas: closed(components.schemas) } }, 'asyncapi');
  const kinds = Object.keys(channels.socket.messages).map((name) => ({
    name,
    schema: { $ref: `asyncapi${components.messages[name]?.payload.$ref}` },
  }));
  return {
    kindsOf: (packet) => kinds.filter(({ schema }) => ajv.validate(schema, packet)).map(({ name }) => name),
  };
}

/** Objects with known properties have no others. The parts of an `allOf` stay open, since each knows some of them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const { properties, additionalProperties, allOf } = value as Record<string, unknown>;
  const isRecord =
    typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;
  const inner = Object.entries(value).map(([key, item]) => [key, key === 'allOf' ? item : closed(item)]);
  const isClosed = isRecord && additionalProperties === undefined && allOf === undefined;
  return {
    ...(Object.fromEntries(inner) as object),
    ...(isClosed && { unevaluatedProperties: false }),
  };
}
