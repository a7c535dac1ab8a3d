import type { Transport } from '@connectrpc/connect';
import type { Caller } from '../base.ts';
import type { Stopper } from '../process.ts';
import { createRpcChannel } from './client.ts';

/** Opens a channel to the service `name`, which `stopper` closes. */
export function openChannel(
  { name, ...options }: { name: string; address: string; secret: string } & Caller,
  stopper: Stopper,
): Transport {
  const { transport, close } = createRpcChannel(options);
  stopper.add(`channel to ${name}`, close);
  return transport;
}
