import { create } from '@parley/codec';
import { IdentitySchema, IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';
import { joinPath, splitPath } from '../metadata/dotted-path.ts';
import { limits } from '@parley/contract/limits';
import { isMetadataKey, isStorableText, metadataSize } from '../metadata.ts';
import { countCharacters } from '../user-id.ts';
import { notAccepted, parseName } from './choice.ts';
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
import { parseSteps } from './steps.ts';

/** Public name, property of the record, and maximum length in characters. */
const TEXT_PROPERTIES = [
  { name: 'display_name', key: 'displayName', max: limits.displayName },
  { name: 'avatar_url', key: 'avatarUrl', max: limits.avatarUrl },
  { name: 'first_name', key: 'firstName', max: limits.firstName },
  { name: 'last_name', key: 'lastName', max: limits.lastName },
  { name: 'phone_number', key: 'phoneNumber', max: limits.phoneNumber },
  { name: 'email_address', key: 'emailAddress', max: limits.emailAddress },
  { name: 'public_key', key: 'publicKey', max: limits.publicKey },
] as const;

const PROPERTIES = [
  ...TEXT_PROPERTIES.map(({ name }) => name),
  'type',
  'identity_type',
  'metadata',
  'metadata.<key>',
];

export type IdentityInput = {
  /** An identity without app and user. */
  identity: Identity;
  /**
   * Names of the fields in the body; a field that is absent in `identity` is cleared. `metadata` replaces all metadata;
   * `metadata.<key>`, the key escaped as in a path, one key of it.
   */
  fields: string[];
};

/**
 * Fields of an identity in a server's request; further properties are ignored. `create` and `replace` require the display
 * name; `update` takes an object with some fields, or a patch array. Fails with missing_property, invalid_property,
 * invalid_request. docs/protocol/users.md#identities
 */
export function parseIdentity(body: unknown, mode: 'create' | 'replace' | 'update'): IdentityInput {
  const input: IdentityInput = { identity: create(IdentitySchema), fields: [] };
  if (mode === 'update' && Array.isArray(body)) {
    parseSteps(body).forEach((step, index) => readStep(input, step, `${index}.`));
    return { ...input, fields: [...new Set(input.fields)] };
  }
  const given = parseObject(body);
  if (mode !== 'update' && !requiredText(given, 'display_name'))
    invalid('display_name', 'must not be empty.');
  for (const name of Object.keys(given)) readField(input, given, name);
  return input;
}

function readField(input: IdentityInput, given: Fields, name: string): void {
  const text = TEXT_PROPERTIES.find((one) => one.name === name);
  if (text) setText(input, given, text);
  else if (name === 'metadata') setMetadata(input, optional(given, name) ?? {});
  else if (name === 'type' || name === 'identity_type') setType(input, given, name);
}

function setText(
  { identity, fields }: IdentityInput,
  given: Fields,
  { name, key, max }: (typeof TEXT_PROPERTIES)[number],
): void {
  const value = optionalText(given, name);
  fields.push(name);
  if (value === undefined) return;
  if (!isStorableText(value)) invalid(name, 'must not hold a NUL character.');
  if (countCharacters(value) > max) invalid(name, `must have at most ${max} characters.`);
  identity[key] = value;
}

function setType({ identity, fields }: IdentityInput, given: Fields, name: string): void {
  const value = optionalText(given, name)?.toLowerCase();
  if (value === undefined) return;
  if (value !== 'user' && value !== 'bot') notAccepted(name, ['User', 'Bot']);
  // `type` takes precedence over its alternative name.
  if (name === 'identity_type' && optional(given, 'type') !== undefined) return;
  fields.push('type');
  identity.type = value === 'bot' ? IdentityType.BOT : IdentityType.USER;
}

function setMetadata({ identity, fields }: IdentityInput, value: unknown): void {
  if (!isFields(value)) return invalid('metadata', 'must be an object.');
  const entries = Object.entries(value);
  if (entries.length > limits.identityMetadataKeys) invalid('metadata', 'must have at most 16 keys.');
  fields.push('metadata');
  identity.metadata = {};
  for (const [key, entry] of entries) setMetadataKey(identity, key, entry);
  requireSize(identity);
}

function requireSize({ metadata }: Identity): void {
  const most = limits.identityMetadataBytes;
  if (metadataSize(metadata) > most) invalid('metadata', `must have at most ${most} bytes as JSON.`);
}

function setMetadataKey(identity: Identity, key: string, value: unknown): void {
  if (typeof value !== 'string' || !isStorableText(value) || !isMetadataKey(key)) {
    return invalid('metadata', 'must have strings as values.');
  }
  identity.metadata[key] = value;
}

function readStep(input: IdentityInput, step: unknown, prefix: string): void {
  if (!isFields(step)) return invalid(prefix.slice(0, -1), 'must be an object.');
  const given = requiredText(step, 'operation', `${prefix}operation`);
  const property = requiredText(step, 'property', `${prefix}property`);
  const operation = parseName(['set', 'delete'], given, `${prefix}operation`);
  const value = operation === 'delete' ? null : (optional(step, 'value') ?? missing(`${prefix}value`));
  const [root, key, ...rest] = splitPath(property);
  if (root === 'metadata' && key !== undefined && rest.length === 0) {
    if (value === null) delete input.identity.metadata[key];
    else setMetadataKey(input.identity, key, value);
    requireSize(input.identity);
    input.fields.push(joinPath(['metadata', key]));
    return;
  }
  const before = input.fields.length;
  readField(input, { [property]: value }, property);
  if (input.fields.length === before) notAccepted(`${prefix}property`, PROPERTIES);
}
