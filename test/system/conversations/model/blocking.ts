import { uuidOf, type TestUser } from '../../../support/app.ts';
import { until } from '../../../support/until.ts';

/** Resolves when a block, or its end, is enforced: within a second of the answer. */
export function awaitBlock(owner: TestUser, blocked: TestUser, isOn: boolean): Promise<boolean> {
  return until(`${owner.id} ${isOn ? 'blocks' : 'unblocks'} ${blocked.id}`, async () => {
    return (await isBlocked(owner, blocked)) === isOn || undefined;
  });
}

async function isBlocked(owner: TestUser, blocked: TestUser): Promise<boolean> {
  const body = { participants: [owner.id] };
  const tried = await blocked.call('POST', '/conversations', 201, { body }).catch(() => undefined);
  if (!tried) return true;
  await blocked.call('DELETE', `/conversations/${uuidOf(tried.body.id)}?mode=all_participants`, 204);
  return false;
}
