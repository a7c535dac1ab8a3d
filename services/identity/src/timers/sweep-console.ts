import { stepsApart, untilLess } from '@parley/kit/durable/work/apart';
import { audit } from '../admin/audit.ts';
import type { Context } from '../context.ts';
import { deleteEndedConsoleSessions } from '../sql/console-session.ts';
import { deleteConsoleTokensBefore } from '../sql/console-token.ts';
import { deleteSignInCodesBefore } from '../sql/sign-in-code.ts';

const BATCH = 1000;

/** Deletes sign-in codes and tokens of the console that expired, and console sessions that ended, to free space; they are refused already. */
export async function sweepConsole(ctx: Context): Promise<void> {
  const { db, clock } = ctx;
  await stepsApart([
    () => untilLess(BATCH, () => deleteSignInCodesBefore(db, clock.now(), BATCH)),
    () => untilLess(BATCH, () => deleteConsoleTokensBefore(db, clock.now(), BATCH)),
    () => untilLess(BATCH, () => endSessions(ctx)),
  ]);
}

/** The audit log says of each session that it ended. */
function endSessions(ctx: Context): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const ended = await deleteEndedConsoleSessions(tx, ctx.clock.now(), BATCH);
    for (const { id, issuer, subject } of ended) {
      const person = { issuer, subject };
      await audit(ctx, tx, { action: 'console_session.expired', actor: 'admin', subject: id, person });
    }
    return ended.length;
  });
}
