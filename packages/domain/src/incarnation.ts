import type { UserErased } from '@parley/proto/parley/event/v1/event_pb';

/** The first incarnation after that of a person who was never erased. */
const FIRST_VERSION = 1;

/**
 * Records of incarnations before this one are to be erased. The event of an earlier release has no version; then only records
 * without an incarnation are to be erased.
 */
export function erasedVersion({ version }: Pick<UserErased, 'version'>): number {
  return version || FIRST_VERSION;
}
