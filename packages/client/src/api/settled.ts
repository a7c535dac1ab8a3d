import { ParleyError } from '../errors.ts';
import type { Host } from './host.ts';
import { Message } from './message.ts';

/** Waits for the end of a send, whichever tab makes it. */
export function createSettling(host: Host): (id: string) => Promise<Message> {
  return (id) =>
    new Promise((resolve, reject) => {
      let last: Message | undefined;
      function look(): void {
        const { ctx, views } = host;
        if (!ctx || !views) return;
        const operation = ctx.records.operations.get(id);
        if (operation?.error) finish(() => reject(new ParleyError(operation.error!)));
        else if (operation?.action.kind === 'send')
          last = views.message(operation.action.conversation, id) ?? last;
        else finish(() => void resolveSent());
      }
      async function resolveSent(): Promise<void> {
        const ctx = host.ctx!;
        const [row] = await ctx.store.get('messages', [id]);
        const message = last && row && host.views?.message(last.conversationId, id);
        if (message) resolve(message);
        else if (row) resolve(new Message(host.actions!, { record: row.value }));
        else reject(new ParleyError({ id: 'not_found' }));
      }
      function finish(how: () => void): void {
        stop();
        how();
      }
      const stop = host.publisher.subscribe(look);
      look();
    });
}
