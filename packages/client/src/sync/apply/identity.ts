import type { Identity } from '@parley/contract/gen/records';
import type { WriteBatch } from '../../records/write-batch.ts';
import type { Change, NamedIdentity } from '../../records/records.ts';

/** A change of the identity of a followed user. Presence is not kept: it is ephemeral. */
export function applyIdentityChange(
  batch: WriteBatch,
  change: Exclude<Change, { method: string }>,
  timestamp: string,
): void {
  const { id } = change.object;
  if (change.operation === 'delete') {
    batch.removeIdentity(id);
    return;
  }
  const changes: Partial<Identity> =
    change.operation === 'create'
      ? (change.data as Identity)
      : Object.fromEntries(
          change.data
            .filter(({ property }) => !property.startsWith('presence'))
            .map(({ property, value }) => [property, value]),
        );
  if (Object.keys(changes).length === 0) return;
  const identity: NamedIdentity = { ...batch.identity(id), ...changes, id, at: timestamp };
  batch.putIdentity(identity);
}
