import { NIL_UUID } from '@parley/kit/runtime/nil-uuid';
import type { Sql } from '@parley/kit/postgres';
import type {
  ListBlockCopiesRequest,
  ListIdentityCopiesRequest,
} from '@parley/proto/parley/recovery/v1/recovery_service_pb';
import type { IdentityRow } from '../identity/identity-copy.ts';

const PAGE = 500;
/** Their names and avatars may be long. */
const IDENTITY_PAGE = 100;

/** A page of copies after one, in the order of their keys. */
export function listIdentityCopies(
  sql: Sql,
  { afterAppId, afterUserId }: ListIdentityCopiesRequest,
): Promise<(IdentityRow & { version: number })[]> {
  return sql.query({
    text: `
      select app_id, user_id, display_name, avatar_url, is_bot, deleted, incarnation, version from identity_copy
      where (app_id, user_id) > ($1::uuid, $2::text) order by app_id, user_id limit ${IDENTITY_PAGE}`,
    values: [afterAppId || NIL_UUID, afterUserId],
  });
}

export type BlockCopyRow = {
  app_id: string;
  blocked_user_id: string;
  owner_user_id: string;
  active: boolean;
  version: number;
  blocked_incarnation: number;
  owner_incarnation: number;
};

/** A page of pairs after one, in the order of their keys. */
export function listBlockCopies(
  sql: Sql,
  { afterAppId, afterBlockedUserId, afterOwnerUserId }: ListBlockCopiesRequest,
): Promise<BlockCopyRow[]> {
  return sql.query<BlockCopyRow>({
    text: `
      select v.app_id, v.blocked_user_id, v.owner_user_id, v.version, b.app_id is not null as active,
        coalesce(blocked.incarnation, 0) as blocked_incarnation, coalesce(owner.incarnation, 0) as owner_incarnation
      from (
        select * from block_version
        where (app_id, blocked_user_id, owner_user_id) > ($1::uuid, $2::text, $3::text)
        order by app_id, blocked_user_id, owner_user_id limit ${PAGE}
      ) v
      left join block_copy b on b.app_id = v.app_id and b.blocked_user_id = v.blocked_user_id
        and b.owner_user_id = v.owner_user_id
      left join identity_copy blocked on blocked.app_id = v.app_id and blocked.user_id = v.blocked_user_id
      left join identity_copy owner on owner.app_id = v.app_id and owner.user_id = v.owner_user_id
      order by v.app_id, v.blocked_user_id, v.owner_user_id`,
    values: [afterAppId || NIL_UUID, afterBlockedUserId, afterOwnerUserId],
  });
}
