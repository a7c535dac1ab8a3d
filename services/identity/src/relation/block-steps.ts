import {
  BlockStep_Operation as Operation,
  type BlockStep,
} from '@parley/proto/parley/identity/v1/relation_service_pb';

/** The blocked users after the steps, one after the other. Takes time in proportion to the users whom the steps name, and to the list. */
export function applyBlockSteps(before: ReadonlySet<string>, steps: readonly BlockStep[]): Set<string> {
  let blocked = new Set(before);
  for (const { operation, userIds } of steps) {
    if (operation === Operation.ADD) for (const userId of userIds) blocked.add(userId);
    else if (operation === Operation.REMOVE) for (const userId of userIds) blocked.delete(userId);
    else blocked = new Set(userIds);
  }
  return blocked;
}
