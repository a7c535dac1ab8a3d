import { hash } from 'node:crypto';
import { create } from '@parley/codec';
import { LRUCache } from 'lru-cache';
import { Code, ConnectError, type Client } from '@connectrpc/connect';
import { limits } from '@parley/contract/limits';
import { PRIVATE_IDENTITY_FIELDS, type PrivateIdentityField } from '@parley/contract/records/identity';
import { fail, failWith } from '@parley/domain/problems';
import { createBatcher } from '@parley/kit/flow/batch';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import type { Clock } from '@parley/kit/runtime/clock';
import {
  Caller_Kind,
  ResolveTokensRequest_ItemSchema,
  type Caller,
  type IdentityService,
  type ResolveTokensRequest_Item,
  type ResolveTokensResponse_Result,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { TokenGuard } from '../limits/index.ts';
import type { Credentials } from './credentials.ts';
import { isAuthenticationProblem } from '@parley/http/errors/authentication-problem';
import type { Revocations } from './revocations.ts';
import { concernsUser, namesToken } from './revoked.ts';
import { createVerifiedCache } from './verified-cache.ts';

/** A token as it appears in a request. */
export type GivenToken = {
  kind: Credentials['kind'];
  hash: Buffer;
  /** The key of the token in the cache. */
  key: string;
};

export type Tokens = {
  identify(credentials: Credentials): GivenToken;
  /** Whether the token was valid when this gateway looked it up. */
  isKnown(token: GivenToken): boolean;
  /** Finds the caller to whom the token belongs. Problems: authentication_required, app_suspended, those of the guard. */
  resolve(token: GivenToken, guard: TokenGuard): Promise<Caller>;
  /** Looks a caller up by the hash of a token, bypassing the cache. */
  lookUp(kind: Caller_Kind, tokenHash: Uint8Array): Promise<Caller>;
  /** The app's limit for the inline body of a part, in bytes of UTF-8. One of the app's tokens must have been looked up here. */
  inlineBodyBytesOf(appId: string): number;
  /** Private identity fields that the app lets users read of each other. */
  publicIdentityFieldsOf(appId: string): readonly PrivateIdentityField[];
  /** Names of the features that are switched on for an app. */
  featuresOf(appId: string): readonly string[];
  stop(): Promise<void>;
};

/** Settings of an app that come with the look-up of a token. */
type Settings = {
  inlineBodyBytes: number;
  publicIdentityFields: readonly PrivateIdentityField[];
  features: readonly string[];
};

type Options = { identity: Client<typeof IdentityService>; revocations: Revocations; clock: Clock };

/** ~400 bytes each. */
const MAX_CACHED = 200_000;

const OPEN_DIRECTORIES = ['everyone', 'shared'];

const KINDS = { session: Caller_Kind.SESSION, bearer: Caller_Kind.ACCESS_TOKEN } as const;

export function createTokens({ identity, revocations, clock }: Options): Tokens {
  const cache = createVerifiedCache<Caller>({
    max: MAX_CACHED,
    revocations,
    concerns: (caller, revoked) => namesToken(revoked, caller.id) || concernsUser(revoked, caller),
  });
  // Keeps the result of the latest look-up. When an app changes a setting, its cached callers are dropped, and the sessions of its sockets
  // are looked up again.
  const settings = new LRUCache<string, Settings>({ max: MAX_CACHED });
  const looks = createBatcher<ResolveTokensRequest_Item, ResolveTokensResponse_Result>({
    maxItems: 500,
    maxQueued: 20_000,
    run: (items) =>
      callInHalves(items, async (some) => (await identity.resolveTokens({ items: some })).results),
  });

  async function lookUp(kind: Caller_Kind, tokenHash: Uint8Array): Promise<Caller> {
    const item = create(ResolveTokensRequest_ItemSchema, { kind, tokenHash, takesConsoleTokens: true });
    const { outcome } = await looks.add(item);
    if (outcome.case === 'caller') {
      const { appId } = outcome.value;
      settings.set(appId, settingsOf(outcome.value, settings.get(appId)));
      return outcome.value;
    }
    if (outcome.case === 'problem') return failWith(outcome.value);
    throw new ConnectError('the look-up of a token had no outcome', Code.Internal);
  }

  return {
    lookUp,
    identify({ kind, token }) {
      const tokenHash = hashOf(token);
      return { kind, hash: tokenHash, key: `${kind}:${tokenHash.toString('base64url')}` };
    },
    isKnown: ({ key }) => cache.has(key),
    async resolve({ kind, hash: tokenHash, key }, guard) {
      return guarded(guard, cache.has(key), async () => {
        const caller = await cache.get(key, () => lookUp(KINDS[kind], tokenHash));
        if (caller.expiresAt > 0 && caller.expiresAt <= clock.now()) fail('authentication_required');
        return caller;
      });
    },
    inlineBodyBytesOf: (appId) => settings.get(appId)?.inlineBodyBytes ?? limits.inlineBodyBytes,
    publicIdentityFieldsOf: (appId) => settings.get(appId)?.publicIdentityFields ?? [],
    featuresOf: (appId) => settings.get(appId)?.features ?? [],
    stop: () => looks.stop(),
  };
}

/**
 * An older identity service does not say which fields are public and shows all of them; an earlier answer of a newer replica takes
 * precedence.
 */
function settingsOf(
  { inlineBodyBytes, publicIdentityFields, userDirectory }: Caller,
  before: Settings | undefined,
): Settings {
  const said =
    publicIdentityFields &&
    PRIVATE_IDENTITY_FIELDS.filter((name) => publicIdentityFields.names.includes(name));
  return {
    inlineBodyBytes: inlineBodyBytes || limits.inlineBodyBytes,
    publicIdentityFields: said ?? before?.publicIdentityFields ?? PRIVATE_IDENTITY_FIELDS,
    features: OPEN_DIRECTORIES.includes(userDirectory) ? ['user_directory'] : [],
  };
}

/** The guard limits look-ups of unknown tokens; a cached token is looked up without it. */
async function guarded<T>(guard: TokenGuard, isKnown: boolean, lookUp: () => Promise<T>): Promise<T> {
  try {
    return await (isKnown ? lookUp() : guard.lookUp(lookUp));
  } catch (error) {
    if (isAuthenticationProblem(error)) guard.bad();
    throw error;
  }
}

export function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
