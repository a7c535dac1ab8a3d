import { limits } from '@parley/contract/limits';
import { metadataSize } from '@parley/domain/metadata';
import type { Identity } from '@parley/proto/parley/identity/v1/identity_pb';

/** An identity as events carry it. Metadata above the limit, stored before there was one, is left out. */
export function toEventPayload(identity: Identity): { identity: Identity; metadataLeftOut: boolean } {
  if (metadataSize(identity.metadata) <= limits.identityMetadataBytes)
    return { identity, metadataLeftOut: false };
  return { identity: { ...identity, metadata: {} }, metadataLeftOut: true };
}
