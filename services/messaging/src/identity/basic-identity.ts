import { create } from '@parley/codec';
import { BasicIdentitySchema, type BasicIdentity } from '@parley/proto/parley/identity/v1/identity_pb';

type Fields = {
  user_id: string;
  display_name?: string | null;
  avatar_url?: string | null;
  incarnation?: number | null;
};

export function basicIdentity({ user_id, display_name, avatar_url, incarnation }: Fields): BasicIdentity {
  const identity = create(BasicIdentitySchema, { userId: user_id, incarnation: incarnation ?? 0 });
  if (display_name != null) identity.displayName = display_name;
  if (avatar_url != null) identity.avatarUrl = avatar_url;
  return identity;
}
