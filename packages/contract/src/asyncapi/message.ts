import type { TSchema } from 'typebox';
import { toJsonSchema, type Components } from '../openapi/components.ts';
import { named } from '../schema/schema.ts';

/** One kind of packet or event, as the document describes it. */
export type Message = {
  /** Unique. */
  name: string;
  title: string;
  summary: string;
  /** CommonMark. */
  description?: string;
  contentType?: string;
  headers?: TSchema;
  payload: TSchema;
  /** Each with the payload of one whole packet. */
  examples: readonly { name: string; headers?: object; payload: unknown }[];
  /** Packets that belong together by their `request_id`. */
  isCorrelated?: boolean;
  tags?: readonly string[];
};

/** A message object of AsyncAPI 3.0. The schema of its payload stands among the components, under its own name or the message's. */
export function messageObject(message: Message, components: Components): object {
  const { name, title, summary, description, contentType, headers, payload, examples } = message;
  return {
    name,
    title,
    summary,
    ...(description !== undefined && { description }),
    contentType: contentType ?? 'application/json',
    ...(message.tags && { tags: message.tags.map((tag) => ({ name: tag })) }),
    ...(message.isCorrelated && { correlationId: { $ref: '#/components/correlationIds/requestId' } }),
    ...(headers && { headers: toJsonSchema(headers, components) }),
    payload: toJsonSchema('$id' in payload ? payload : named(`${name}Packet`, payload), components),
    examples,
  };
}
