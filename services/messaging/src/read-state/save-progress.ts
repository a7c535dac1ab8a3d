import type { Progress } from './progress.ts';
import { updateParticipants } from '../sql/conversation/participant.ts';
import { deleteParticipantBitmaps, upsertParticipantBitmaps } from '../sql/read-state/participant-bitmap.ts';
import type { Statement } from '../sql/statement.ts';

/** The statements that write the changes of participants' progress: their rows and at most a few bitmaps. */
export function progressStatements(progresses: readonly Progress[]): (Statement | undefined)[] {
  const changed = progresses.filter((progress) => progress.changed).map(({ row }) => row);
  const upserted = progresses.flatMap(({ row, bitmaps, changedBitmaps }) =>
    [...changedBitmaps].flatMap((number) => {
      const bits = bitmaps.get(number);
      return bits ? [{ ...keyOf(row), block: number, ...bits }] : [];
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
