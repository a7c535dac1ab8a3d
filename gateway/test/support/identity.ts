import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  createRouterTransport,
  type ConnectRouter,
  type ServiceImpl,
  type Transport,
} from '@connectrpc/connect';
import { problem } from '@parley/domain/problems';
import {
  Caller_Kind,
  IdentityService,
  type CallerSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';

export const APP_ID = '01990000-0000-7000-8000-000000000001';
export const SESSION_TOKEN = 'a-session-token';
export const ACCESS_TOKEN = 'an-access-token';
/** Of a session whose application allows one origin; of one whose user is gone. */
export const BOUND_TOKEN = 'a-bound-session-token';
export const GHOST_TOKEN = 'a-session-token-of-a-deleted-user';
/** The token of a session of another user. */
export const OTHER_TOKEN = 'a-session-token-of-another-user';
export const NONCE = 'a-nonce';

/** Identity as far as it takes to tell good tokens from bad: for what HTTP alone decides. `more` adds services, `own` replaces methods. */
export function knownTokens(
  more?: (router: ConnectRouter) => void,
  own: Partial<ServiceImpl<typeof IdentityService>> = {},
): Transport {
  const callers = new Map<string, MessageInitShape<typeof CallerSchema>>([
    [hashOf(SESSION_TOKEN), { kind: Caller_Kind.SESSION, id: 's1', appId: APP_ID, userId: 'alice' }],
    [
      hashOf(BOUND_TOKEN),
      {
        kind: Caller_Kind.SESSION,
        id: 's2',
        appId: APP_ID,
        userId: 'alice',
        allowedOrigins: ['https://app.test'],
      },
    ],
    [hashOf(OTHER_TOKEN), { kind: Caller_Kind.SESSION, id: 's4', appId: APP_ID, userId: 'bob' }],
    [hashOf(GHOST_TOKEN), { kind: Caller_Kind.SESSION, id: 's3', appId: APP_ID, userId: 'ghost' }],
    [hashOf(ACCESS_TOKEN), { kind: Caller_Kind.ACCESS_TOKEN, id: 't1', appId: APP_ID }],
  ]);
  return createRouterTransport((router) => {
    more?.(router);
    router.service(IdentityService, {
      issueNonce: () => ({ nonce: NONCE }),
      listRevocations: () => ({ cursor: 1 }),
      findIdentities: ({ userIds }) => ({
        identities: userIds
          .filter((userId) => userId === 'alice' || userId === 'mallory')
          .map((userId) => ({ appId: APP_ID, userId, suspended: userId === 'mallory' })),
      }),
      resolveTokens: ({ items }) => ({
        results: items.map(({ kind, tokenHash }) => {
          const caller = callers.get(Buffer.from(tokenHash).toString('hex'));
          return caller?.kind === kind
            ? { outcome: { case: 'caller' as const, value: caller } }
            : { outcome: { case: 'problem' as const, value: problem('authentication_required') } };
        }),
      }),
      ...own,
    });
  });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
