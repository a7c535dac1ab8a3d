import { realId } from '../pending/act.ts';
import { KEPT_LISTS, loadList, unloadList } from '../records/in-memory.ts';
import { ask } from '../sync/ask.ts';
import type { Context } from '../sync/context.ts';
import type { Host } from './host.ts';

export function createHost(publisher: Host['publisher'], ready: Promise<void>): Host {
  const inUse = new Map<string, number>();
  const loading = new Set<string>();
  const host: Host = {
    publisher,
    ctx: undefined,
    views: undefined,
    actions: undefined,
    ready,
    connections: 0,
    ask: async (command) => {
      await ready;
      return host.ctx && ask(host.ctx, command);
    },
    loadList(conversation) {
      const { ctx } = host;
      if (!ctx || loading.has(conversation)) return;
      loading.add(conversation);
      void ctx
        .serial(() => {
          unloadUnused(ctx, inUse);
          return loadList(ctx.store, ctx.records, conversation);
        })
        .finally(() => {
          loading.delete(conversation);
          publisher.publish();
        });
    },
    useList(conversation, isUsed) {
      const count = (inUse.get(conversation) ?? 0) + (isUsed ? 1 : -1);
      if (count > 0) inUse.set(conversation, count);
      else inUse.delete(conversation);
    },
  };
  return host;
}

function unloadUnused(ctx: Context, inUse: ReadonlyMap<string, number>): void {
  const { records } = ctx;
  if (records.lists.size < KEPT_LISTS) return;
  const used = new Set([...inUse.keys()].map((id) => realId(ctx, id)));
  for (const id of [...records.lists.keys()].slice(0, records.lists.size - KEPT_LISTS + 1))
    if (!used.has(id)) unloadList(records, id);
}
