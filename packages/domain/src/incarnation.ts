import type { UserErased } from '@parley/proto/parley/event/v1/event_pb';

/** No incarnation is earlier but that of a person who was never erased. */
const FIRST_VERSION = 1;

/**
 * What is of an incarnation before this is to be erased. An event of a release before has no version: what bears no incarnation
 * is to be erased.
 */
export function erasedVersion({ version }: Pick<UserErased, 'version'>): number {
  return version || FIRST_VERSION;
}
