import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ApplyErasureRequest } from '@parley/proto/parley/announcement/v1/announcement_service_pb';
import type { Context } from '../context.ts';
import { insertErasures } from '../sql/erasure.ts';

/** Takes what the earlier incarnations of a user received out of their lists. A timer erases it. */
export async function applyErasure({ db }: Context, { appId, userId, version }: ApplyErasureRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  await insertErasures(db, [{ appId, userId, version }]);
  return {};
}
