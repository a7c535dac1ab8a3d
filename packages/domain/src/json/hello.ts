import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { basicIdentityJson, type BasicIdentityJson } from './identity.ts';
import { isoTime } from './time.ts';
import type { View } from './view.ts';

/** A token bucket: `per_second` on average, `burst` at once. */
export type RateJson = { per_second: number; burst: number };

/** What a client has to know of the gateway's limits. Each gateway counts for itself. */
export type ClientLimitsJson = {
  /** Bytes of UTF-8: of one packet or request body, of a message's parts together, of the inline body of one part. */
  packet_bytes: number;
  request_body_bytes: number;
  message_bytes: number;
  inline_body_bytes: number;
  /** Parts of a message. */
  parts: number;
  /** Levels of arrays and objects. */
  json_depth: number;
  /** The largest `page_size` of each list. */
  page_size: Record<'conversations' | 'messages' | 'announcements' | 'identities' | 'followed_users', number>;
  /** Null: no limit. */
  rates: Record<'requests_of_session' | 'upgrades_of_session' | 'upgrades_of_address', RateJson | null>;
  /** What one user may have under way at once; further requests wait for a while. */
  requests_under_way: Record<'lists' | 'patches' | 'replays', number>;
  sockets_of_user: number;
  replays_of_socket: number;
  /** What an `Event.replay` takes from the bucket of the session. */
  replay_weight: number;
  /** Users whom a socket subscribes to by name. */
  presence_ids: number;
  /** How much earlier than the last server time that it saw a client begins a replay. Seconds. */
  replay_overlap_in_seconds: number;
};

export type HelloJson = {
  user: BasicIdentityJson;
  /** Null: never. */
  session_expires_at: string | null;
  server_time: string;
  keep_alive_in_seconds: number;
  limits: ClientLimitsJson;
};

/** Times in milliseconds since the epoch. */
type Hello = {
  user: Pick<BasicIdentity, 'userId' | 'displayName' | 'avatarUrl'>;
  /** 0: never. */
  expiresAt: number;
  serverTime: number;
  keepAliveSeconds: number;
  limits: ClientLimitsJson;
};

/** The body of the first packet of a socket with the extended subprotocol. SPEC beyond 0 */
export function helloJson(view: View, hello: Hello): HelloJson {
  return {
    user: basicIdentityJson(view, hello.user),
    session_expires_at: hello.expiresAt > 0 ? isoTime(hello.expiresAt) : null,
    server_time: isoTime(hello.serverTime),
    keep_alive_in_seconds: hello.keepAliveSeconds,
    limits: hello.limits,
  };
}
