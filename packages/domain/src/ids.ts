import { v7 } from 'uuid';
import { percentDecode, percentEncode } from './percent.ts';
import { isDotSegment, isNewUserId, isUserId, startsLikeUri } from './user-id.ts';
import type { UriKind, Wire } from './wire.ts';

export { isNewUserId, isUserId };
export type { UriKind };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A uuid of version 7; `ms` since the epoch, default now. */
export function newId(ms?: number): string {
  return ms === undefined ? v7({ rng }) : v7({ msecs: ms, rng });
}

/** A uuid of version 7, greater than those that this process made before. */
export function newOrderedId(): string {
  return v7();
}

const ID_BYTES = 16;
const random = new Uint8Array(ID_BYTES * 256);
let used = random.length;

/** Random bytes, fetched for many ids at a time, since each fetch is a system call. */
function rng(): Uint8Array {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.slice(used - ID_BYTES, used);
}

/** Whether the text is a UUID of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** The lower-case uuid in a URI of this kind or a bare uuid; undefined for anything else. */
export function parseUri(wire: Wire, kind: UriKind, text: string): string | undefined {
  if (isUuid(text)) return text.toLowerCase();
  return uuidAfter(wire.uri(kind, ''), text);
}

function uuidAfter(prefix: string, text: string): string | undefined {
  if (text.length !== prefix.length + 36 || !text.startsWith(prefix)) return undefined;
  const uuid = text.slice(prefix.length);
  return isUuid(uuid) ? uuid.toLowerCase() : undefined;
}

export function identityUri(wire: Wire, userId: string): string {
  return wire.uri('identities', percentEncode(userId));
}

/**
 * The user id in an identity URI of this deployment or a bare user id; undefined for anything else. Text that begins like the URI of a
 * record is never a bare user id: a user with such an id can only be named by URI. docs/protocol/requests.md#ids
 */
export function parseIdentityRef(wire: Wire, text: string): string | undefined {
  if (!startsLikeUri(text)) return isUserId(text) ? text : undefined;
  const prefix = wire.uri('identities', '');
  if (!text.startsWith(prefix)) return undefined;
  const userId = percentDecode(text.slice(prefix.length));
  return userId !== undefined && isUserId(userId) ? userId : undefined;
}

/** A user id encoded as one segment of a path: the id itself, or the identity's URI if a path cannot contain the id. */
export function userSegment(wire: Wire, userId: string): string {
  const isBare = parseUserSegment(wire, userId) === userId;
  return percentEncode(isBare ? userId : identityUri(wire, userId));
}

/**
 * The user id in a decoded path segment: a bare user id, or the identity's URI if new users cannot get that id. Undefined for anything
 * else, and for `.` and `..`, which clients and proxies remove from paths. docs/protocol/requests.md#ids
 */
export function parseUserSegment(wire: Wire, text: string): string | undefined {
  if (isDotSegment(text)) return undefined;
  const named = startsLikeUri(text) ? parseIdentityRef(wire, text) : undefined;
  if (named !== undefined && !isNewUserId(named)) return named;
  return isUserId(text) ? text : undefined;
}

export function partUri(wire: Wire, messageId: string, partId: string): string {
  return `${wire.uri('messages', messageId)}/parts/${partId}`;
}

export type PartRef = {
  /** Absent in a bare part id. */
  messageId?: string;
  partId: string;
};

/** A part's URI or bare uuid; undefined for anything else. */
export function parsePartRef(wire: Wire, text: string): PartRef | undefined {
  if (isUuid(text)) return { partId: text.toLowerCase() };
  const split = text.lastIndexOf('/parts/');
  if (split < 0) return undefined;
  const messageId = uuidAfter(wire.uri('messages', ''), text.slice(0, split));
  const partId = uuidAfter('/parts/', text.slice(split));
  return messageId && partId ? { messageId, partId } : undefined;
}

/** The format in which clients send it to POST /sessions. */
export function appUri(wire: Wire, environment: string, appId: string): string {
  return wire.uri('apps', `${environment}/${appId}`);
}

export function parseAppUri(wire: Wire, text: string): { environment: string; appId: string } | undefined {
  const prefix = wire.uri('apps', '');
  if (!text.startsWith(prefix)) return undefined;
  const [environment, appId, ...rest] = text.slice(prefix.length).split('/', 3);
  if (!environment || !appId || rest.length > 0 || !isUuid(appId)) return undefined;
  return { environment, appId: appId.toLowerCase() };
}
