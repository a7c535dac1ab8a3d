import { eventStream } from '@parley/domain/events/stream';
import { defineService, type RunningService } from '@parley/kit/service';
import { startAppRemoval } from './app-removal.ts';
import { startConsumers } from './consume/index.ts';
import { createContext, type Context } from './context.ts';
import { startDelivering } from './delivery/index.ts';
import { createRecipients } from './delivery/recipient-statuses.ts';
import { mountRpc } from './rpc/index.ts';
import { startTimers } from './timers/index.ts';
import { startVerifier } from './verification/verifier.ts';

export const NAME = 'webhook';
export const migrations = new URL('../migrations/', import.meta.url);

export type Service = RunningService<Context>;

/** Starts the service; resolves when it answers. */
export const createService = defineService({
  name: NAME,
  migrations,
  stream: eventStream,
  open: createContext,
  async start(context, { server, stopper }) {
    const verifier = startVerifier({ ...context, client: context.targets });
    stopper.add('verifier', () => verifier.stop());
    const recipients = createRecipients(context.messaging);
    stopper.add('recipients', () => recipients.stop());
    const deliveries = await startDelivering(context, stopper, recipients);
    const timers = startTimers(context, stopper, deliveries);
    startConsumers(context, stopper, { deliveries, timers });
    startAppRemoval(context, stopper);
    mountRpc(server, context, { verifier, deliveries, recipients });
  },
});
