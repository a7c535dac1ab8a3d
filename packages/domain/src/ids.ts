import { v7 } from 'uuid';
import { percentDecode, percentEncode } from './percent.ts';
import { isUserId } from './user-id.ts';
import type { UriKind, Wire } from './wire.ts';

export { isUserId };
export type { UriKind };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A uuid of version 7; `ms` since the epoch, default now. */
export function newId(ms?: number): string {
  return ms === undefined ? v7({ rng }) : v7({ msecs: ms, rng });
}

const ID_BYTES = 16;
const random = new Uint8Array(ID_BYTES * 256);
let used = random.length;

/** Random bytes for one id, fetched for many ids at a time, since each fetch is a system call. */
function rng(): Uint8Array {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  used += ID_BYTES;
  return random.slice(used - ID_BYTES, used);
}

/** Of any version, in either case. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** The uuid, in lower case, that a URI of this kind names or a bare uuid is; undefined for anything else. */
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

/** The user id that an identity URI or a bare user id stands for; undefined for an invalid one or another kind's URI. */
export function parseIdentityRef(wire: Wire, text: string): string | undefined {
  if (!text.startsWith(`${wire.name}:///`)) return isUserId(text) ? text : undefined;
  const prefix = wire.uri('identities', '');
  if (!text.startsWith(prefix)) return undefined;
  const userId = percentDecode(text.slice(prefix.length));
  return userId !== undefined && isUserId(userId) ? userId : undefined;
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
