import { isUuid, parseAppUri, parseUri } from '@parley/domain/ids';
import { fail } from '@parley/domain/problems';
import { isTime } from '@parley/domain/time';
import type { UriKind, Wire } from '@parley/domain/wire';
import { isStorable } from '../identity/fields.ts';

const MAX_NAME = 128;
const DEFAULT_PAGE = 100;
const MAX_PAGE = 500;

export function parseName(text: string): string {
  if (text === '') fail('missing_property', { property: 'name', message: 'name is required.' });
  if (isStorable(text, MAX_NAME)) return text;
  return fail('invalid_property', {
    property: 'name',
    message: `name must have at most ${MAX_NAME} characters.`,
  });
}

/** Reads an application's URI or bare UUID. The environment in the URI is ignored. */
export function parseAppId(wire: Wire, text: string): string {
  if (text === '') fail('missing_property', { property: 'app_uuid', message: 'app_uuid is required.' });
  const id = isUuid(text) ? text.toLowerCase() : parseAppUri(wire, text)?.appId;
  return id ?? failId('app_uuid');
}

/** Reads a URI of that kind or a bare UUID. */
export function parseId(wire: Wire, input: { kind: UriKind; text: string; property: string }): string {
  const { kind, text, property } = input;
  if (text === '') fail('missing_property', { property, message: `${property} is required.` });
  return parseUri(wire, kind, text) ?? failId(property);
}

export function parseUuid(text: string, property: string): string {
  return isUuid(text) ? text.toLowerCase() : failId(property);
}

function failId(property: string): never {
  return fail('invalid_property', { property, message: `${property} must be a URI or a UUID.` });
}

/** 0 means 100; a size above the maximum means the maximum. */
export function parsePageSize(size: number): number {
  if (Number.isInteger(size) && size >= 0) return size === 0 ? DEFAULT_PAGE : Math.min(size, MAX_PAGE);
  return fail('invalid_property', { property: 'page_size', message: 'page_size must be a whole number.' });
}

/** The expiry time of a token; null for a token that does not expire. Fails with invalid_property. */
export function parseExpiry(time: number | undefined, now: number): number | null {
  if (time === undefined) return null;
  if (isTime(time) && time > now) return time;
  return fail('invalid_property', {
    property: 'expires_at',
    message: 'expires_at must be a time in the future, in milliseconds since 1970.',
  });
}
