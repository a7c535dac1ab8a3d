import type { Context } from './context.ts';
import { keepConnected } from './connection.ts';
import { post } from './post.ts';
import { reload } from './reload.ts';
import { moveTo } from './state.ts';

/** Begins to lead in an epoch: reads what the leader before may have written, and connects. */
export async function lead(ctx: Context, epoch: number): Promise<void> {
  moveTo(ctx, { name: 'elected', epoch });
  await reload(ctx);
  reconsider(ctx);
}

/** Leads no more: another tab does, or the client has ended. */
export function follow(ctx: Context): void {
  moveTo(ctx, { name: 'following' });
}

/** Has the tab that leads check its connection, if nothing came for so many milliseconds. */
export function probe(ctx: Context, silentForMs: number): void {
  const { epoch, socket } = ctx.sync.state;
  if (epoch === undefined) post(ctx, { kind: 'probe', silentForMs });
  else socket?.probe(silentForMs);
}

/** Opens or ends the connection, as the application wants it, if this client leads. */
export function reconsider(ctx: Context): void {
  const { name, epoch } = ctx.sync.state;
  if (epoch === undefined) return;
  if (!ctx.isWanted()) moveTo(ctx, { name: 'offline', epoch });
  else if (name === 'elected' || name === 'offline') {
    keepConnected(ctx, epoch).catch((error: unknown) =>
      ctx.diagnose('connection_ended', { reason: String(error) }),
    );
    ctx.listener.started(ctx);
  }
}
