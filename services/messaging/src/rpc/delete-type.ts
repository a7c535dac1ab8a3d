import { DEFAULT_TYPE } from '@parley/contract/policy';
import { isUuid } from '@parley/domain/ids';
import { fail, failNotFound } from '@parley/domain/problems';
import type { DeleteTypeRequest } from '@parley/proto/parley/messaging/v1/policy_service_pb';
import type { Context } from '../context.ts';
import { deleteType as deleteRow, isTypeUsed, lockTypes } from '../sql/policy/type.ts';

/** A conversation that is created with the type at the same time keeps it: the deletion waits for it, and then finds it. */
export async function deleteType({ db }: Context, { appId, name }: DeleteTypeRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  await db.tx(async (tx) => {
    await lockTypes(tx, appId);
    await deleteRow(tx, appId, name);
    if (name === DEFAULT_TYPE || !(await isTypeUsed(tx, appId, name))) return;
    fail('invalid_operation', { message: 'A conversation has this type.', property: 'name' });
  });
  return {};
}
