import type { Context } from '../context.ts';
import { deleteEndedConsoleSessions } from '../sql/console-session.ts';
import { deleteConsoleTokensBefore } from '../sql/console-token.ts';
import { deleteSignInCodesBefore } from '../sql/sign-in-code.ts';

const BATCH = 1000;

/** Deletes sign-in codes and tokens of the console that expired, and console sessions that ended, to free space; they are refused already. */
export async function sweepConsole({ db, clock }: Context): Promise<void> {
  while ((await deleteSignInCodesBefore(db, clock.now(), BATCH)) === BATCH);
  while ((await deleteConsoleTokensBefore(db, clock.now(), BATCH)) === BATCH);
  while ((await deleteEndedConsoleSessions(db, clock.now(), BATCH)) === BATCH);
}
