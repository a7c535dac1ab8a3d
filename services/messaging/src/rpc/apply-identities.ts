import { isUuid } from '@parley/domain/ids';
import { failNotFound } from '@parley/domain/problems';
import type { ApplyIdentitiesRequest } from '@parley/proto/parley/messaging/v1/copy_service_pb';
import type { Context } from '../context.ts';
import { upsertIdentities } from '../sql/identity/identity-copy.ts';

export async function applyIdentities({ db }: Context, { appId, identities }: ApplyIdentitiesRequest) {
  if (!isUuid(appId)) return failNotFound('app', appId);
  await upsertIdentities(
    db,
    identities.map((identity) => ({ ...identity, appId })),
  );
  return {};
}
