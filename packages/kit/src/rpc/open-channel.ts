import type { Transport } from '@connectrpc/connect';
import type { Stopper } from '../process.ts';
import type { Logger } from '../telemetry/log.ts';
import { createRpcChannel } from './client.ts';

/** Opens a channel to the service `name`, which `stopper` closes. */
export function openChannel(
  { name, ...options }: { name: string; address: string; secret: string; log: Logger },
  stopper: Stopper,
): Transport {
  const { transport, close } = createRpcChannel(options);
  stopper.add(`channel to ${name}`, close);
  return transport;
}
