import { limits } from '@parley/contract/limits';
import type { Content, Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { isFilename } from '../filename.ts';
import { newId, parsePartRef, parseUri } from '../ids.ts';
import { fitsBytes, isBase64, isMimeType } from '../parts.ts';
import type { Wire } from '../wire.ts';
import { parseName } from './choice.ts';
import {
  invalid,
  isFields,
  missing,
  optional,
  optionalText,
  parseObject,
  requiredText,
  type Fields,
} from './fields.ts';

const ENCODINGS = ['base64'] as const;

/** Rules for parts; `inlineBodyBytes` is a setting of the app. */
export type PartRules = { wire: Wire; inlineBodyBytes: number };

/**
 * A request body with one part. Fails with missing_property, invalid_property, invalid_request.
 * docs/protocol/messages.md#the-parts-of-a-message
 */
export function parsePartBody(rules: PartRules, body: unknown): Part {
  return parsePart(rules, parseObject(body), '');
}

/**
 * Parses a part, and gives it an id if it has none. `prefix` is put before the names of its properties: `parts.0.`, or empty. Records are
 * written as literals, since create() costs more than all the checks.
 */
export function parsePart(rules: PartRules, value: unknown, prefix: string): Part {
  const { wire } = rules;
  if (!isFields(value)) return invalid(prefix.slice(0, -1), 'must be an object.');
  const mimeType = requiredText(value, 'mime_type', `${prefix}mime_type`);
  if (!isMimeType(mimeType)) invalid(`${prefix}mime_type`, 'must be a media type.');
  const part: Part = {
    $typeName: 'parley.messaging.v1.Part',
    id: parsePartId(wire, value, prefix),
    mimeType,
  };
  readBody(rules, value, { prefix, part });
  const content = optional(value, 'content');
  if (content === undefined) {
    if (part.body === undefined) failNeither(prefix);
    if (optional(value, 'filename') !== undefined) invalid(`${prefix}filename`, 'needs a content.');
    return part;
  }
  if (part.body !== undefined) invalid(`${prefix}content`, 'and body exclude each other.');
  part.content = parseContent(wire, content, `${prefix}content`);
  const filename = optionalText(value, 'filename', `${prefix}filename`);
  if (filename === undefined) return part;
  if (!isFilename(filename)) invalid(`${prefix}filename`, FILENAME_RULE);
  part.filename = filename;
  return part;
}

const FILENAME_RULE = `must be 1 to ${limits.filename} characters, without control and bidirectional formatting characters, / and \\.`;

function failNeither(prefix: string): never {
  return invalid(`${prefix}body`, 'or content is required.');
}

function parsePartId(wire: Wire, value: Fields, prefix: string): string {
  const given = optional(value, 'id');
  if (given === undefined) return newId();
  const ref = typeof given === 'string' ? parsePartRef(wire, given) : undefined;
  return ref?.partId ?? invalid(`${prefix}id`, 'must be the id of a part.');
}

type Place = { prefix: string; part: Part };

function readBody({ inlineBodyBytes }: PartRules, value: Fields, { prefix, part }: Place): void {
  const encoding = optional(value, 'encoding');
  if (encoding !== undefined) part.encoding = parseName(ENCODINGS, encoding, `${prefix}encoding`);
  const body = optionalText(value, 'body', `${prefix}body`);
  if (body === undefined) return;
  if (!fitsBytes(body, inlineBodyBytes))
    invalid(`${prefix}body`, `must have at most ${inlineBodyBytes} bytes.`);
  if (encoding !== undefined && !isBase64(body)) invalid(`${prefix}body`, 'must be base64.');
  part.body = body;
}

// The size may be omitted and is then -1, until it is replaced by the upload's size before the part is stored.
function parseContent(wire: Wire, value: unknown, property: string): Content {
  if (!isFields(value)) return invalid(property, 'must be an object.');
  const given = optional(value, 'id') ?? missing(`${property}.id`);
  const id = typeof given === 'string' ? parseUri(wire, 'content', given) : undefined;
  if (!id) return invalid(`${property}.id`, 'must be the id of a content.');
  const size = optional(value, 'size');
  if (size === undefined) return { $typeName: 'parley.messaging.v1.Content', id, size: -1 };
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    return invalid(`${property}.size`, 'must be a number of bytes.');
  }
  return { $typeName: 'parley.messaging.v1.Content', id, size };
}
