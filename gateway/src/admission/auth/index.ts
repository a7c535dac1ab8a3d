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
   * Reads an Authorization header without looking its token up. If `kind` is given, a token of another kind counts as missing. Problems:
   * rate_limit_exceeded for an address that has sent too many bad or missing tokens; tokens known to this gateway are exempt.
   */
  screen(authorization: string | undefined, guard: TokenGuard, kind?: Credentials['kind']): Screened;
  /** Finds the caller to whom the token belongs. Problems: authentication_required, app_suspended, those of the guard. */
  authenticate(screened: Screened): Promise<Caller>;
  /**
   * Finds the session of an upgrade request by its token or header; undefined without a valid one. Problems: access_denied (origin), those
   * of the guard.
   */
  sessionOfUpgrade(given: UpgradeCredentials, guard: TokenGuard): Promise<SessionCaller | undefined>;
  /** Whether the session ended while its socket was being opened. */
  hasEnded(caller: SessionCaller): boolean;
  /** Refuses a user on whose behalf an app's server may not act. Problems: not_found, user_suspended. */
  checkUser(appId: string, userId: string): Promise<{ incarnation: number }>;
  /** The app's limit for the inline body of a part, in bytes of UTF-8. The app's caller must have been authenticated here. */
  inlineBodyBytesOf(appId: string): number;
  /** Private identity fields that the app lets users read of each other. */
  publicIdentityFieldsOf(this: void, appId: string): readonly PrivateIdentityField[];
  /** Names of the features that are switched on for an app, as `hello` lists them. */
  featuresOf(appId: string): readonly string[];
  onRevoked(listener: RevocationListener): () => void;
  /** Confirms the sessions of open sockets before they act; see `Sessions`. Problems: service_unavailable. */
  confirmSessions(): Promise<void> | undefined;
  /** Registers a listener that is called when no revocations could be fetched for 30 s. */
  onBlind(listener: () => void): () => void;
  /** Applies all earlier revocations at once; other gateways apply them within a second. */
  learnRevocations(): Promise<void>;
  stop(): Promise<void>;
};

/** The token of a request, ready to be looked up. Undefined: the request has no token of the right kind, and was counted as such. */
export type Screened = { token: GivenToken | undefined; guard: TokenGuard };

export type UpgradeCredentials = {
  authorization: string | undefined;
  /** Token from the subprotocols or the query; it takes precedence over the header. */
  token: string | null;
  /** Origin of the connecting page; undefined: the client is not a browser. */
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
