import type { ClientLimits as ClientLimitsJson, Hello as HelloJson } from '@parley/contract/socket/hello';
import type { BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';
import { basicIdentityJson } from './identity.ts';
import { isoTime } from './time.ts';
import type { View } from './view.ts';

export type { ClientLimitsJson, HelloJson };

/** Times in milliseconds since the epoch. */
type Hello = {
  user: Pick<BasicIdentity, 'userId' | 'displayName' | 'avatarUrl'>;
  /** 0: never. */
  expiresAt: number;
  serverTime: number;
  keepAliveSeconds: number;
  limits: ClientLimitsJson;
};

/** The body of the first packet of a socket with the extended subprotocol. docs/protocol/websocket.md#hello */
export function helloJson(view: View, hello: Hello): HelloJson {
  return {
    user: basicIdentityJson(view, hello.user),
    session_expires_at: hello.expiresAt > 0 ? isoTime(hello.expiresAt) : null,
    server_time: isoTime(hello.serverTime),
    keep_alive_in_seconds: hello.keepAliveSeconds,
    limits: hello.limits,
  };
}
