import type {
  FindIdentitiesRequest,
  FindIdentitiesResponseSchema,
} from '@parley/proto/parley/identity/v1/identity_service_pb';
import type { Context } from '../context.ts';
import { findIdentities as listIdentities } from '../sql/identity.ts';
import type { Answer } from './answer.ts';

/** Deleted ones are among them, marked so, for those who keep copies; order is not promised. */
export async function findIdentities(
  ctx: Context,
  { appId, userIds }: FindIdentitiesRequest,
): Answer<typeof FindIdentitiesResponseSchema> {
  return { identities: userIds.length === 0 ? [] : await listIdentities(ctx.db, appId, userIds) };
}
