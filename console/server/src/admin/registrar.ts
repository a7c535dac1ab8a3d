import { createClient, type Transport } from '@connectrpc/connect';
import type { ExportedIdentity } from '@parley/domain/parse/exported';
import { failNewUserId, problemOf } from '@parley/domain/problems';
import { isNewUserId } from '@parley/domain/user-id';
import { callInHalves } from '@parley/kit/rpc/byte-budget';
import { IdentityService } from '@parley/proto/parley/identity/v1/identity_service_pb';

export type Register = (appId: string, people: readonly ExportedIdentity[]) => Promise<void>;

/**
 * Creates the identities that an app lacks. A person without a name in the export, such as an erased user, gets no identity. Problems:
 * invalid_property for a person whom the app lacks and whose id no new user gets.
 */
export function createRegistrar(transport: Transport): Register {
  const identity = createClient(IdentityService, transport);
  return async (appId, people) => {
    const named = new Map(people.filter(hasName).map((person) => [person.userId, person]));
    const odd = new Set(people.map(({ userId }) => userId).filter((userId) => !isNewUserId(userId)));
    if (named.size === 0 && odd.size === 0) return;
    const identities = await callInHalves([...new Set([...named.keys(), ...odd])], async (userIds) => {
      return (await identity.findIdentities({ appId, userIds })).identities;
    });
    for (const { userId } of identities) {
      named.delete(userId);
      odd.delete(userId);
    }
    if (odd.size > 0) failNewUserId();
    for (const person of named.values()) {
      await identity.createIdentity({ identity: { appId, ...person } }).catch(ignoreConflict);
    }
  };
}

function hasName({ displayName }: ExportedIdentity): boolean {
  return displayName !== undefined;
}

/** A concurrent import has created the identity. */
function ignoreConflict(error: unknown): void {
  if (problemOf(error)?.id !== 'conflict') throw error;
}
