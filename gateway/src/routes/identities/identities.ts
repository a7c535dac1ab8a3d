import { identityJson } from '@parley/domain/json/identity';
import { parseIdentity } from '@parley/domain/parse/identity';
import { applyIdentities } from '../../messaging/identity-copies.ts';
import type { Handler, Route } from '../route.ts';
import { getPresentIdentity } from './find.ts';
import { pathUserIdOf } from '../params.ts';

const readIdentity: Handler = async (ctx, request) => {
  const { identity, presence } = await getPresentIdentity(ctx, request.appId, pathUserIdOf(request));
  return { status: 200, body: identityJson(request.view, identity, presence) };
};

const createIdentity: Handler = async (ctx, request) => {
  const userId = pathUserIdOf(request);
  const { identity } = parseIdentity(request.body, 'create');
  await ctx.identity.createIdentity({ identity: { ...identity, appId: request.appId, userId } });
  return { status: 201 };
};

const replaceIdentity: Handler = async (ctx, request) => {
  const userId = pathUserIdOf(request);
  const { identity } = parseIdentity(request.body, 'replace');
  await ctx.identity.replaceIdentity({ identity: { ...identity, appId: request.appId, userId } });
  return { status: 204 };
};

const updateIdentity: Handler = async (ctx, request) => {
  const userId = pathUserIdOf(request);
  const { identity, fields } = parseIdentity(request.body, 'update');
  await ctx.identity.updateIdentity({ identity: { ...identity, appId: request.appId, userId }, fields });
  return { status: 204 };
};

const deleteIdentity: Handler = async (ctx, request) => {
  const { appId } = request;
  const { identity } = await ctx.identity.deleteIdentity({ appId, userId: pathUserIdOf(request) });
  await ctx.auth.learnRevocations();
  if (identity) await applyIdentities(ctx, { appId, identities: [identity] });
  return { status: 204 };
};

const path = '/apps/:app_uuid/users/:user_id/identity';

export const identities: Route[] = [
  { method: 'GET', path, auth: 'bearer', summary: 'Get an identity', handle: readIdentity },
  { method: 'POST', path, auth: 'bearer', summary: 'Create an identity', handle: createIdentity },
  { method: 'PUT', path, auth: 'bearer', summary: 'Replace an identity', handle: replaceIdentity },
  { method: 'PATCH', path, auth: 'bearer', summary: 'Change an identity', handle: updateIdentity },
  { method: 'DELETE', path, auth: 'bearer', summary: 'Delete an identity', handle: deleteIdentity },
];
