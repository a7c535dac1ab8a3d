import { LRUCache } from 'lru-cache';
import type { Wire } from '@parley/domain/wire';
import { fail } from '@parley/domain/problems';

/** Refuses with invalid_header unless the Accept header names the media type. */
export type Negotiate = (accept: string | undefined) => void;

/** The elements of the list, and the parameters of an element; separators in quoted strings do not count. */
const ELEMENTS = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
const PARAMETERS = /(?:"(?:[^"\\]|\\.)*"|[^";])+/g;

/** `mediaType` without parameters, e.g. `application/vnd.svc+json`. docs/protocol/requests.md#media-types */
export function createNegotiation(mediaType: string, { version }: Wire): Negotiate {
  const known = new LRUCache<string, boolean>({ max: 1_000 });
  const wanted = mediaType.toLowerCase();
  const accepted = `${mediaType}; version=${version}`;
  return (accept) => {
    const header = accept ?? '';
    let isNamed = known.get(header);
    if (isNamed === undefined) known.set(header, (isNamed = namesType(header, wanted, version)));
    if (!isNamed) {
      fail('invalid_header', {
        message: `The Accept header must be: ${accepted}`,
        data: { header: 'Accept' },
        accepted: [accepted],
      });
    }
  };
}

function namesType(header: string, wanted: string, version: string): boolean {
  for (const element of header.match(ELEMENTS) ?? []) {
    const [type = '', ...rest] = (element.match(PARAMETERS) ?? []).map((part) => part.trim());
    if (type.toLowerCase() !== wanted) continue;
    const parameters = new Map(rest.map(parameterOf));
    if (parameters.get('version') === version && !(Number(parameters.get('q') ?? 1) <= 0)) return true;
  }
  return false;
}

function parameterOf(text: string): [string, string] {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toLowerCase(), ''];
  const value = text.slice(equals + 1).trim();
  const bare = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  return [text.slice(0, equals).trim().toLowerCase(), bare];
}
