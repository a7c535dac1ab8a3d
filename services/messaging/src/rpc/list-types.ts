import { DEFAULT_TYPE } from '@parley/contract/policy';
import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ListTypesRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { listTypes as listRows } from '../sql/policy/type.ts';

export async function listTypes({ db }: Context, { appId }: ListTypesRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  const rows = await listRows(db, appId);
  const first = rows.find(({ name }) => name === DEFAULT_TYPE) ?? { name: DEFAULT_TYPE, rules: {} };
  return { types: [first, ...rows.filter(({ name }) => name !== DEFAULT_TYPE)] };
}
