import { ParleyError } from '../errors.ts';
import { processPending } from '../pending/process.ts';
import { reportFailed } from '../pending/report.ts';
import { absorb } from '../records/in-memory.ts';
import type { Context } from '../sync/context.ts';
import { applyEphemeralChange } from '../sync/ephemeral-state.ts';
import { probe } from '../sync/lead.ts';
import { post, postConnection, type Post } from '../sync/post.ts';
import { showConnection } from '../sync/state.ts';
import type { Hooks } from './open.ts';

/** Applies what the client of another tab has done. Kinds of a later version are ignored. */
export function receive(ctx: Context, hooks: Hooks, given: unknown): void {
  const message = given as Post;
  const isLeader = ctx.sync.state.epoch !== undefined;
  switch (message.kind) {
    case 'writes':
      return void ctx.serial(async () => {
        absorb(ctx.records, message.writes);
        ctx.changed(message.writes, false);
        processPending(ctx);
      });
    case 'sent':
    case 'arrived':
      return void ctx.serial(async () => ctx[message.kind](message.message));
    case 'failed':
      return reportFailed(ctx, message.operation, new ParleyError(message.error));
    case 'loggedOut':
      return ctx.emit('loggedOut', undefined);
    case 'joined':
      if (!isLeader) return;
      postConnection(ctx, ctx.sync.connection);
      if (!hooks.isWanted()) post(ctx, { kind: 'wanted', isWanted: false });
      return;
    case 'probe':
      return isLeader ? probe(ctx, message.silentForMs) : undefined;
    case 'wanted':
      return hooks.want(message.isWanted);
    case 'connection':
      if (isLeader) return;
      showConnection(ctx, { status: message.status, error: message.error && new ParleyError(message.error) });
      if (message.status === 'online') hooks.connected();
      return;
    case 'typing':
    case 'presence':
      return applyEphemeralChange(ctx, message);
  }
}
