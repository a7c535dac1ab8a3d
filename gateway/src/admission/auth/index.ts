import type { Client } from '@connectrpc/connect';
import type { PrivateIdentityField } from '@parley/contract/records/identity';
import { requireAllowedOrigin } from '@parley/domain/http/origins';
import type { Wire } from '@parley/domain/wire';
import type { Clock } from '@parley/kit/runtime/clock';
import type { FollowedClock } from '@parley/kit/runtime/clock/followed-clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Caller, IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { constantError } from '@parley/http/errors/error-form';
import type { TokenGuard } from '../limits/index.ts';
import { createReadCredentials, type Credentials } from './credentials.ts';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import { startRevocations } from './revocations.ts';
import { createSessions } from './sessions.ts';
import { createTokens, hashOf, type GivenToken } from './tokens.ts';
import { createUsers } from './users.ts';
import type { RevocationListener, SessionCaller } from './watch.ts';

export type { RevocationListener, SessionCaller } from './watch.ts';

export type Auth = {
  /**
   * Reads an Authorization header, and looks nothing up; tokens of another `kind` are as good as none, if it is given. Problems:
   * rate_limit_exceeded, for an address that has sent too many bad or missing ones, but for a token that is known here.
   */
  screen(authorization: string | undefined, guard: TokenGuard, kind?: Credentials['kind']): Screened;
  /** The caller whose token it is. Problems: authentication_required, app_suspended, those of the guard. */
  authenticate(screened: Screened): Promise<Caller>;
  /** The session of an upgrade request, from the token that it gives, or its header; undefined without a valid one. Problems: access_denied (origin), those of the guard. */
  sessionOfUpgrade(given: UpgradeCredentials, guard: TokenGuard): Promise<SessionCaller | undefined>;
  /** Whether the session ended while its socket was being opened. */
  hasEnded(caller: SessionCaller): boolean;
  /** Refuses a user that an app's server may not act as. Problems: not_found, user_suspended. */
  checkUser(appId: string, userId: string): Promise<{ incarnation: number }>;
  /** A setting of an app whose caller was authenticated: the longest body of a part, in bytes of UTF-8. */
  inlineBodyBytesOf(appId: string): number;
  /** Another one: the private fields that users read in the identities of others. */
  publicIdentityFieldsOf(this: void, appId: string): readonly PrivateIdentityField[];
  /** Names of the features that are switched on for an app, as `hello` lists them. */
  featuresOf(appId: string): readonly string[];
  onRevoked(listener: RevocationListener): () => void;
  /** For acts of open sockets; see `Sessions`. Problems: service_unavailable. */
  confirmSessions(): Promise<void> | undefined;
  /** Calls back when nothing has been heard of revocations for 30 s. */
  onBlind(listener: () => void): () => void;
  /** Applies at once what was revoked before this call; other gateways apply it within a second. */
  learnRevocations(): Promise<void>;
  stop(): Promise<void>;
};

/** The token of a request that may be looked up; undefined: it has none of the right kind, which has been counted. */
export type Screened = { token: GivenToken | undefined; guard: TokenGuard };

export type UpgradeCredentials = {
  authorization: string | undefined;
  /** From the subprotocols or the query; goes before the header. */
  token: string | null;
  /** Of the page that connects; undefined: the client is not a browser. */
  origin: string | undefined;
};

const UNAUTHENTICATED = constantError('authentication_required');

type Options = {
  identity: Client<typeof IdentityService>;
  wire: Wire;
  clock: Clock;
  followedClock: FollowedClock | undefined;
  log: Logger;
};

export function createAuth({ identity, wire, clock, followedClock, log }: Options): Auth {
  const readCredentials = createReadCredentials(wire);
  const revocations = startRevocations({ identity, clock, followedClock, log });
  const tokens = createTokens({ identity, revocations, clock });
  const users = createUsers({ identity, revocations });
  const sessions = createSessions({ tokens, revocations, clock, log });

  return {
    screen(authorization, guard, kind) {
      const credentials = readCredentials(authorization);
      const isTaken = credentials && (!kind || credentials.kind === kind);
      const token = isTaken ? tokens.identify(credentials) : undefined;
      if (!token) guard.missing();
      else if (!tokens.isKnown(token)) guard.require();
      return { token, guard };
    },
    authenticate: async ({ token, guard }) =>
      token ? tokens.resolve(token, guard) : Promise.reject(UNAUTHENTICATED),
    async sessionOfUpgrade({ authorization, token: given, origin }, guard) {
      const header = readCredentials(authorization);
      const token = given ?? (header?.kind === 'session' ? header.token : undefined);
      if (!token) {
        guard.missing();
        return undefined;
      }
      try {
        const found = await tokens.resolve(tokens.identify({ kind: 'session', token }), guard);
        requireAllowedOrigin(found.allowedOrigins, origin);
        const { appId, userId, id, expiresAt, incarnation } = found;
        const caller = { appId, userId, sessionId: id, incarnation, expiresAt, tokenHash: hashOf(token) };
        sessions.watch(caller);
        return caller;
      } catch (error) {
        if (isAuthenticationProblem(error)) return undefined;
        throw error;
      }
    },
    hasEnded: (caller) => sessions.hasEnded(caller),
    checkUser: (appId, userId) => users.checkActive(appId, userId),
    inlineBodyBytesOf: (appId) => tokens.inlineBodyBytesOf(appId),
    publicIdentityFieldsOf: (appId) => tokens.publicIdentityFieldsOf(appId),
    featuresOf: (appId) => tokens.featuresOf(appId),
    onRevoked: (listener) => sessions.onRevoked(listener),
    confirmSessions: () => sessions.confirm(),
    onBlind: (listener) => sessions.onBlind(listener),
    learnRevocations: () => revocations.learn(),
    async stop() {
      revocations.stop();
      sessions.stop();
      await tokens.stop();
    },
  };
}
