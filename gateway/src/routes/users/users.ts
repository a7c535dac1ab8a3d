import { identityJson } from '@parley/domain/json/identity';
import { invalid, missing, optional, parseObject } from '@parley/domain/parse/fields';
import { parseUserPatch } from '@parley/domain/parse/user-patch';
import { applyErasure, updateBlocks } from '../../messaging/identity-copies.ts';
import type { Handler, Route } from '../route.ts';
import { ERASURE_WEIGHT, itemsWeight } from '../../limits/weights.ts';
import { getPresentIdentity } from '../identities/find.ts';
import { toBlockSteps } from './blocks.ts';
import { pathUserIdOf } from '../params.ts';

const getUser: Handler = async (ctx, request) => {
  const { identity, presence } = await getPresentIdentity(ctx, request.appId, pathUserIdOf(request));
  const { suspended } = identity;
  return { status: 200, body: { identity: identityJson(request.view, identity, presence), suspended } };
};

/** Suspension and blocks, which are two records: what is wrong with either is found before either is changed. */
const updateUser: Handler = async (ctx, request) => {
  const { wire, identity, auth } = ctx;
  const { appId } = request;
  const userId = pathUserIdOf(request);
  const { suspended, blocks } = parseUserPatch(wire, request.body);
  request.weigh(itemsWeight(blocks.flatMap(({ userIds }) => userIds).length));
  await updateBlocks(ctx, { appId, ownerUserId: userId, steps: toBlockSteps(blocks) });
  if (suspended !== undefined) {
    await identity.setUserSuspended({ appId, userId, suspended });
    await auth.learnRevocations();
  }
  return { status: 202 };
};

const eraseUser: Handler = async (ctx, request) => {
  request.weigh(ERASURE_WEIGHT);
  const erased = await ctx.identity.eraseUser({ appId: request.appId, userId: pathUserIdOf(request) });
  await ctx.auth.learnRevocations();
  await applyErasure(ctx, erased);
  return { status: 202 };
};

const deleteUserSessions: Handler = async ({ identity, auth }, request) => {
  await identity.deleteUserSessions({ appId: request.appId, userId: pathUserIdOf(request) });
  await auth.learnRevocations();
  return { status: 204 };
};

const getBadge: Handler = async ({ identity, messaging }, request) => {
  const user = { appId: request.appId, userId: pathUserIdOf(request) };
  const { externalUnreadCount } = await identity.getExternalUnreadCount(user);
  const { unreadConversationCount, unreadMessageCount } = await messaging.getUnreadTotals(user);
  return {
    status: 200,
    body: {
      external_unread_count: externalUnreadCount,
      unread_conversation_count: unreadConversationCount,
      unread_message_count: unreadMessageCount,
    },
  };
};

const setBadge: Handler = async ({ identity }, request) => {
  const userId = pathUserIdOf(request);
  const count =
    optional(parseObject(request.body), 'external_unread_count') ?? missing('external_unread_count');
  if (typeof count !== 'number') return invalid('external_unread_count', 'must be a whole number.');
  await identity.setExternalUnreadCount({ appId: request.appId, userId, externalUnreadCount: count });
  return { status: 204 };
};

const one = '/apps/:app_uuid/users/:user_id';

export const users: Route[] = [
  { method: 'GET', path: one, auth: 'bearer', summary: 'Get a user', handle: getUser },
  {
    method: 'PATCH',
    path: one,
    auth: 'bearer',
    summary: 'Suspend a user, change blocks',
    handle: updateUser,
  },
  {
    method: 'DELETE',
    path: one,
    auth: 'bearer',
    kind: 'erasure',
    summary: 'Erase a user',
    handle: eraseUser,
  },
  {
    method: 'GET',
    path: `${one}/badge`,
    auth: 'bearer',
    summary: 'Get the counts of a badge',
    handle: getBadge,
  },
  {
    method: 'PUT',
    path: `${one}/badge`,
    auth: 'bearer',
    summary: 'Set the external count',
    handle: setBadge,
  },
  {
    method: 'DELETE',
    path: `${one}/sessions`,
    auth: 'bearer',
    summary: 'End all sessions of a user',
    handle: deleteUserSessions,
  },
];
