import type { Client, HandlerContext } from '@connectrpc/connect';
import type { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';
import { until } from '@parley/testing';

export type IdentityClient = Client<typeof IdentityService>;

export function isMultiplexed({ url }: HandlerContext): boolean {
  return new URL(url).host === 'multiplexed';
}

export function nameOf(name: string, ctx: HandlerContext): string {
  return isMultiplexed(ctx) ? `${name} multiplexed` : name;
}

export async function answerOf(client: IdentityClient, request: { userIds?: string[] } = {}) {
  return (await client.findIdentities(request)).identities[0]?.userId;
}

/** Repeats the call until the answer is as expected. */
export function untilAnswered(client: IdentityClient, expected: string) {
  const ask = async () => (await answerOf(client)) === expected || undefined;
  return until(ask, { withinMs: 10_000, what: `the answer ${expected}` });
}
