import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, createServiceImplSpec, type ServiceImpl } from '@connectrpc/connect';
import type { Server } from '@grpc/grpc-js';
import type { Logger } from '../runtime/telemetry/log.ts';
import type { Authenticate } from './admission.ts';
import { serveStream } from './serve-stream.ts';
import { serveUnary } from './serve-unary.ts';

export type MountOptions = {
  log: Logger;
  authenticate: Authenticate;
  /** Default: the service's own type name. */
  typeName?: string;
  /** Called at the end of each call; `code` is the name of a gRPC status. */
  observe(method: DescMethod, code: string, seconds: number): void;
};

/**
 * Registers a Connect implementation with a grpc-js server. A missing method is answered Unimplemented. Messages pass grpc-js as bytes:
 * nothing is decoded for a caller that is not admitted.
 */
export function mount<S extends DescService>(
  server: Server,
  service: S,
  impl: Partial<ServiceImpl<S>>,
  options: MountOptions,
): void {
  for (const spec of Object.values(createServiceImplSpec(service, impl).methods)) {
    const path = `/${options.typeName ?? service.typeName}/${spec.method.name}`;
    const added =
      spec.kind === 'unary'
        ? server.register(path, serveUnary(spec, options), asIs, asIs, 'unary')
        : server.register(path, serveStream(spec, options), asIs, asIs, 'bidi');
    if (!added) throw new ConnectError(`${path} is served twice`, Code.Internal);
  }
}

export function asIs(bytes: Buffer): Buffer {
  return bytes;
}
