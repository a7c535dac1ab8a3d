import type { WriteBatch } from '../../records/write-batch.ts';
import { creates, type Change, type NamedIdentity } from '../../records/records.ts';

/** A change of the identity of a followed user. Presence is not kept: it is ephemeral. */
export function applyIdentityChange(
  batch: WriteBatch,
  change: Exclude<Change, { method: string }>,
  timestamp: string,
): void {
  const { id } = change.object;
  const put = (changes: Partial<NamedIdentity>): void =>
    batch.putIdentity({ ...batch.identity(id), ...changes, id, at: timestamp });
  if (creates(change, 'Identity')) put(change.data);
  else if (change.operation === 'delete') batch.removeIdentity(id);
  else if (change.operation === 'update') {
    const names = change.data.filter(({ property }) => !property.startsWith('presence'));
    if (names.length > 0) put(Object.fromEntries(names.map(({ property, value }) => [property, value])));
  }
}
