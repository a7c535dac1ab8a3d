import { fromBinary, toBinary } from '@parley/codec';
import { performOnce } from '@parley/kit/durable/once';
import type { Tx } from '@parley/kit/postgres';
import { WebhookSchema, type Webhook } from '@parley/proto/parley/webhook/v1/webhook_pb';
import type { Context } from '../context.ts';

/** Changes a webhook once for each operation: a repeated request gets the same webhook. */
export function changeOnce(
  { db }: Context,
  name: string,
  run: (tx: Tx) => Promise<Webhook>,
): Promise<Webhook> {
  return db.tx((tx) =>
    performOnce(tx, {
      name,
      run: () => run(tx),
      save: (webhook) => toBinary(WebhookSchema, webhook),
      load: (saved) => fromBinary(WebhookSchema, saved),
    }),
  );
}
