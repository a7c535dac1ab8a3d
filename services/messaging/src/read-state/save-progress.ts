import type { Progress } from './progress.ts';
import { updateParticipants } from '../sql/conversation/participant.ts';
import { deleteParticipantBitmaps, upsertParticipantBitmaps } from '../sql/read-state/participant-bitmap.ts';
import type { Part } from '../sql/statement.ts';

/** The statements that write the changes of participants' progress: their rows and at most a few bitmaps. */
export function progressParts(progresses: readonly Progress[]): (Part | undefined)[] {
  const changed = progresses.filter((progress) => progress.changed).map(({ row }) => row);
  const upserted = progresses.flatMap(({ row, bitmaps, changedBitmaps }) =>
    [...changedBitmaps].flatMap((number) => {
      const block = bitmaps.get(number);
      return block ? [{ ...keyOf(row), block: number, ...block }] : [];
    }),
  );
  const dropped = progresses.flatMap(({ row, droppedBitmaps }) =>
    [...droppedBitmaps].map((number) => ({ ...keyOf(row), block: number })),
  );
  return [updateParticipants(changed), upsertParticipantBitmaps(upserted), deleteParticipantBitmaps(dropped)];
}

function keyOf({ app_id, conversation_id, user_id }: Progress['row']) {
  return { app_id, conversation_id, user_id };
}
