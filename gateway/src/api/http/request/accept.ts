import { LRUCache } from 'lru-cache';
import type { Wire } from '@parley/domain/wire';
import { fail } from '@parley/domain/problems';
import { parseHeaderList } from '@parley/kit/http/header-list';

/** Refuses with invalid_header unless the Accept header names the media type. */
export type Negotiate = (accept: string | undefined) => void;

/** Most clients send the same few values; longer ones are parsed each time, to save memory. */
const MAX_KNOWN = 1_000;
const MAX_KNOWN_LENGTH = 128;

/** `mediaType` without parameters, e.g. `application/vnd.svc+json`. docs/protocol/requests.md#media-types */
export function createNegotiation(mediaType: string, { version }: Wire): Negotiate {
  const known = new LRUCache<string, boolean>({ max: MAX_KNOWN });
  const wanted = mediaType.toLowerCase();
  const accepted = `${mediaType}; version=${version}`;

  function isNamedBy(header: string): boolean {
    const cached = known.get(header);
    if (cached !== undefined) return cached;
    const isNamed = namesType(header, wanted, version);
    if (header.length <= MAX_KNOWN_LENGTH) known.set(header, isNamed);
    return isNamed;
  }

  return (accept) => {
    if (accept !== undefined && isNamedBy(accept)) return;
    fail('invalid_header', {
      message: `The Accept header must be: ${accepted}`,
      data: { header: 'Accept' },
      accepted: [accepted],
    });
  };
}

function namesType(header: string, wanted: string, version: string): boolean {
  return parseHeaderList(header).some(
    ({ value, parameters }) =>
      value.toLowerCase() === wanted &&
      parameters.get('version') === version &&
      !(Number(parameters.get('q') ?? 1) <= 0),
  );
}
