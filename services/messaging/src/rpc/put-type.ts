import { DEFAULT_TYPE } from '@parley/contract/policy';
import { isUuid } from '@parley/domain/ids';
import { isDefault, withoutDefaults, type TypeRules } from '@parley/domain/policy';
import { fail, failNotFound, failTooMany } from '@parley/domain/problems';
import type { PutTypeRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { deleteType, listTypes, lockTypes, MAX_TYPES, upsertType } from '../sql/policy/type.ts';

/** A `default` whose rules are all as they were from the beginning has no row, so that sends look at nothing. */
export async function putType(ctx: Context, { appId, type }: PutTypeRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  if (!type) return fail('missing_property', { property: 'type' });
  const { name } = type;
  // The gateway has checked the form.
  const rules = withoutDefaults((type.rules ?? {}) as TypeRules);
  await ctx.db.tx(async (tx) => {
    await lockTypes(tx, appId);
    if (name === DEFAULT_TYPE && isDefault(rules)) return deleteType(tx, appId, name);
    const others = (await listTypes(tx, appId)).filter(
      (row) => row.name !== DEFAULT_TYPE && row.name !== name,
    );
    if (name !== DEFAULT_TYPE && others.length >= MAX_TYPES)
      failTooMany({ property: 'types', limit: MAX_TYPES, scope: 'of an application' });
    return upsertType(tx, { appId, name, rules, version: ctx.newId() });
  });
  return {};
}
