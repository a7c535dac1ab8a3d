import type { UserErased } from '@parley/proto/parley/event/v1/event_pb';

/** The first incarnation after the erasure of a user id's first person. */
const FIRST_VERSION = 1;

/**
 * Records of incarnations before this one must be erased. The event of an earlier release has no version; then only records without an
 * incarnation must be erased.
 */
export function erasedVersion({ version }: Pick<UserErased, 'version'>): number {
  return version || FIRST_VERSION;
}
