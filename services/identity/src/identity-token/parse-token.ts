import { parseJson } from '@parley/domain/parse/json';
import type { Reason } from './reasons.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export type ParsedToken = {
  text: string;
  /** Why header and claims cannot be read. */
  flaw: Reason | undefined;
  /** Empty when they cannot be read. Nothing of them is to be trusted yet. */
  header: JsonObject;
  claims: JsonObject;
};

const BASE64URL = /^[A-Za-z0-9_-]*$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Takes a compact JWS apart; verifies nothing but its form. */
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

/** A property of its own, not of the prototype. */
export function ownProperty(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
