import { create } from '@parley/codec';
import { countCharacters, isUserId } from '@parley/domain/user-id';
import { splitPath } from '@parley/domain/metadata/dotted-path';
import { limits } from '@parley/contract/limits';
import { metadataSize } from '@parley/domain/metadata';
import { fail } from '@parley/domain/problems';
import { IdentitySchema, IdentityType, type Identity } from '@parley/proto/parley/identity/v1/identity_pb';

/** Optional texts of an identity: the name in protocols, the property of the record, the maximum of characters. */
const TEXT_FIELDS = [
  { name: 'display_name', key: 'displayName', max: limits.displayName },
  { name: 'avatar_url', key: 'avatarUrl', max: limits.avatarUrl },
  { name: 'first_name', key: 'firstName', max: limits.firstName },
  { name: 'last_name', key: 'lastName', max: limits.lastName },
  { name: 'phone_number', key: 'phoneNumber', max: limits.phoneNumber },
  { name: 'email_address', key: 'emailAddress', max: limits.emailAddress },
  { name: 'public_key', key: 'publicKey', max: limits.publicKey },
] as const;

/** Whether a text has at most `maxLength` characters, and only characters that Postgres can store. */
export function isStorable(text: string, maxLength: number): boolean {
  if (text.length > 2 * maxLength || !text.isWellFormed() || text.includes('\0')) return false;
  return countCharacters(text) <= maxLength;
}

/**
 * Checks an identity from a request and copies its ids and fields; the rest is as in a new identity. Fails with
 * invalid_property.
 */
export function checkIdentity(input: Identity | undefined): Identity {
  const identity = create(IdentitySchema, input ?? {});
  if (!isUserId(identity.userId))
    failProperty('user_id', 'user_id must be 1 to 256 characters without control characters.');
  for (const { name, key, max } of TEXT_FIELDS) {
    const text = identity[key];
    if (text !== undefined && !isStorable(text, max))
      failProperty(name, `${name} must have at most ${max} characters.`);
  }
  requireMetadata(identity);
  const type = identity.type === IdentityType.BOT ? IdentityType.BOT : IdentityType.USER;
  return { ...identity, type, version: 0, suspended: false, deleted: false };
}

/** Checks an identity that must have a name: fails with missing_property without one. */
export function checkNamedIdentity(input: Identity | undefined): Identity {
  const identity = checkIdentity(input);
  if (identity.displayName === undefined) {
    fail('missing_property', { property: 'display_name', message: 'display_name is required.' });
  }
  return identity;
}

/** Metadata above the limit, stored before there was one, may shrink but not grow. */
function requireMetadata({ metadata }: Identity, before?: Identity): void {
  const size = metadataSize(metadata);
  if (size > limits.identityMetadataBytes && !(before && size < metadataSize(before.metadata)))
    failProperty('metadata', `metadata must have at most ${limits.identityMetadataBytes} bytes as JSON.`);
  const most = limits.identityMetadataKeys;
  const entries = Object.entries(metadata);
  const storable = entries.every(([key, value]) => key.isWellFormed() && value.isWellFormed());
  if (entries.length > most || !storable)
    failProperty('metadata', `metadata must have at most ${most} keys, with strings as values.`);
}

function failProperty(property: string, message: string): never {
  return fail('invalid_property', { property, message });
}

/** `before` with the named fields taken from `changes`; a field that is absent there is cleared. */
export function withFields(before: Identity, changes: Identity, fields: readonly string[]): Identity {
  const after = { ...before, metadata: { ...before.metadata } };
  for (const field of new Set(fields)) setField(after, changes, field);
  if (canonical(after.metadata) !== canonical(before.metadata)) requireMetadata(after, before);
  return after;
}

function setField(after: Identity, changes: Identity, field: string): void {
  const text = TEXT_FIELDS.find(({ name }) => name === field);
  if (text) setText(after, text.key, changes[text.key]);
  else if (field === 'metadata') after.metadata = { ...changes.metadata };
  else if (field === 'type') after.type = changes.type;
  else setKey(after.metadata, changes.metadata, metadataKey(field));
}

// The key of a path like `metadata.rank`.
function metadataKey(field: string): string {
  const [root, key, ...rest] = splitPath(field);
  if (root === 'metadata' && key !== undefined && rest.length === 0) return key;
  return failProperty(field, `${field} cannot be changed`);
}

type Metadata = Identity['metadata'];

// In place: a copy for each key would cost as much as all of them together.
function setKey(metadata: Metadata, changes: Metadata, key: string): void {
  if (Object.hasOwn(changes, key)) metadata[key] = changes[key] ?? '';
  else delete metadata[key];
}

function setText(
  identity: Identity,
  key: (typeof TEXT_FIELDS)[number]['key'],
  value: string | undefined,
): void {
  if (value === undefined) delete identity[key];
  else identity[key] = value;
}

/** Names of the fields that differ. */
export function listChangedFields(before: Identity, after: Identity): string[] {
  const changed: string[] = TEXT_FIELDS.filter(({ key }) => before[key] !== after[key]).map(
    ({ name }) => name,
  );
  if (before.type !== after.type) changed.push('type');
  if (canonical(before.metadata) !== canonical(after.metadata)) changed.push('metadata');
  if (before.suspended !== after.suspended) changed.push('suspended');
  if (before.deleted !== after.deleted) changed.push('deleted');
  return changed;
}

function canonical(metadata: Identity['metadata']): string {
  return JSON.stringify(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
}
