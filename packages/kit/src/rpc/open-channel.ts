import type { Transport } from '@connectrpc/connect';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { TlsSource } from '../runtime/tls/folder.ts';
import type { Stopper } from '../runtime/process.ts';
import { createRpcChannel } from './client.ts';

/** The parts that a process needs for calling other processes; `tls` undefined: calls are made without TLS. */
export type Caller = { log: Logger; tls: TlsSource | undefined };

/** Opens a channel to the service `name`, which `stopper` closes. */
export function openChannel(
  { name, ...options }: { name: string; address: string; secret: string } & Caller,
  stopper: Stopper,
): Transport {
  const { transport, close } = createRpcChannel(options);
  stopper.add(`channel to ${name}`, close);
  return transport;
}
