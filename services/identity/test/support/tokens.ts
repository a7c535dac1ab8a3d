import {
  Caller_Kind,
  type ResolveTokensResponse_Result,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import { hashToken } from '../../src/session/secret-token.ts';
import type { Platform } from './platform.ts';

export type Asked = { kind: 'session' | 'access'; token: string };

/** Resolves all tokens in one call. */
export async function resolve(
  { identity }: Pick<Platform, 'identity'>,
  asked: Asked[],
): Promise<ResolveTokensResponse_Result['outcome'][]> {
  const items = asked.map(({ kind, token }) => ({
    kind: kind === 'session' ? Caller_Kind.SESSION : Caller_Kind.ACCESS_TOKEN,
    tokenHash: hashToken(token),
  }));
  const { results } = await identity.resolveTokens({ items });
  return results.map(({ outcome }) => outcome);
}

/** The id of the problem with a session token; undefined if the token is valid. */
export async function findFlaw(platform: Platform, token: string): Promise<string | undefined> {
  const [outcome] = await resolve(platform, [{ kind: 'session', token }]);
  return outcome?.case === 'problem' ? outcome.value.id : undefined;
}
