import type { Progress } from './progress.ts';
import { updateParticipants } from '../sql/conversation/participant.ts';
import { deleteParticipantBlocks, upsertParticipantBlocks } from '../sql/reading/participant-bitmap.ts';
import type { Part } from '../sql/statement.ts';

/** Writes what changed of each participant's progress: their row and at most a few blocks. */
export function progressParts(progresses: readonly Progress[]): (Part | undefined)[] {
  const changed = progresses.filter((progress) => progress.changed).map(({ row }) => row);
  const upserted = progresses.flatMap(({ row, blocks, changedBlocks }) =>
    [...changedBlocks].flatMap((number) => {
      const block = blocks.get(number);
      return block ? [{ ...keyOf(row), block: number, ...block }] : [];
    }),
  );
  const dropped = progresses.flatMap(({ row, dropped }) =>
    [...dropped].map((number) => ({ ...keyOf(row), block: number })),
  );
  return [updateParticipants(changed), upsertParticipantBlocks(upserted), deleteParticipantBlocks(dropped)];
}

function keyOf({ app_id, conversation_id, user_id }: Progress['row']) {
  return { app_id, conversation_id, user_id };
}
