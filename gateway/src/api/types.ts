import { createHash } from 'node:crypto';
import { conversationTypeJson } from '@parley/domain/json/conversation-type';
import { isTypeName, parseTypeRules } from '@parley/domain/parse/conversation-type';
import { fail } from '@parley/domain/problems';
import { conditionOf } from '@parley/kit/http/conditions';
import type { HttpResponse } from '@parley/http/answers/response';
import type { JsonObject } from '@bufbuild/protobuf';
import type { Uses } from './context.ts';
import type { ApiRequest } from './request/route.ts';

export async function listTypesAsServer(ctx: Uses<'policy'>, { appId }: ApiRequest): Promise<HttpResponse> {
  const { types } = await ctx.policy.listTypes({ appId });
  return { status: 200, body: types.map(conversationTypeJson) };
}

const ETAG_LENGTH = 27;

/** Clients read the types at each start, mostly unchanged. */
export async function listTypes(ctx: Uses<'policy'>, { appId, headers }: ApiRequest): Promise<HttpResponse> {
  const { types } = await ctx.policy.listTypes({ appId });
  const body = types.map(conversationTypeJson);
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  const validation = { etag: `W/"${hash.slice(0, ETAG_LENGTH)}"`, 'cache-control': 'private, no-cache' };
  const condition = conditionOf(headers, validation.etag);
  if (condition === 'unchanged') return { status: 304, headers: validation };
  if (condition === 'failed') return { status: 412, headers: validation };
  return { status: 200, headers: validation, body };
}

export async function putType(ctx: Uses<'policy'>, request: ApiRequest): Promise<HttpResponse> {
  const { appId } = request;
  const name = typeNameOf(request);
  const rules = parseTypeRules(request.body) as JsonObject;
  await ctx.policy.putType({ appId, type: { name, rules } });
  const { types } = await ctx.policy.listTypes({ appId });
  const stored = types.find((type) => type.name === name);
  return stored ? { status: 200, body: conversationTypeJson(stored) } : fail('conflict');
}

export async function deleteType(ctx: Uses<'policy'>, request: ApiRequest): Promise<HttpResponse> {
  await ctx.policy.deleteType({ appId: request.appId, name: typeNameOf(request) });
  return { status: 204 };
}

function typeNameOf({ params }: ApiRequest): string {
  const name = params['type_name'] ?? '';
  return isTypeName(name) ? name : fail('invalid_property', { property: 'name' });
}
