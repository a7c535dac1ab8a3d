import { parseJson } from '@parley/domain/parse/json';
import type { Reason } from '@parley/contract/token-reasons';

export type JsonObject = Readonly<Record<string, unknown>>;

export type ParsedToken = {
  text: string;
  /** Why the header and claims cannot be read; undefined if they can. */
  flaw: Reason | undefined;
  /** Header and claims are empty when they cannot be read. They are not verified yet. */
  header: JsonObject;
  claims: JsonObject;
};

const BASE64URL = /^[A-Za-z0-9_-]*$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a compact JWS. Checks only its form. */
export function parseToken(text: string): ParsedToken {
  const parts = text.split('.');
  if (parts.length !== 3) return flawed(text, 'eit_wrong_jws_part_count');
  if (!parts.every(isBase64url)) return flawed(text, 'eit_malformed_base64url');
  const [header, claims] = parts.slice(0, 2).map(parseObject);
  if (!header || !claims) return flawed(text, 'eit_malformed_json');
  return { text, flaw: undefined, header, claims };
}

function flawed(text: string, flaw: Reason): ParsedToken {
  return { text, flaw, header: {}, claims: {} };
}

function isBase64url(part: string): boolean {
  return BASE64URL.test(part) && part.length % 4 !== 1;
}

function parseObject(part: string): JsonObject | undefined {
  try {
    const value = parseJson(UTF8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** An own property of the object; the prototype is ignored. */
export function ownProperty(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
