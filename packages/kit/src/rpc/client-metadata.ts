import { Metadata } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { currentContext } from '../request-context.ts';
import type { TraceCarrier } from '../telemetry/tracing.ts';
import { setHeaders, type HeadersInput } from './metadata.ts';

export type MetadataSource = (header: HeadersInput, trace: TraceCarrier) => Metadata;

/** Makes the metadata of each call: the secret, the ids of the request and its operation, its trace, and what the caller adds. */
export function createMetadataSource(secret: string | undefined): MetadataSource {
  const base = new Metadata();
  if (secret) base.set('authorization', `Bearer ${secret}`);
  return (header, trace) => {
    const metadata = base.clone();
    const context = currentContext();
    metadata.set('x-request-id', context?.requestId ?? randomUUID());
    if (context?.operationId) metadata.set('x-operation-id', context.operationId);
    for (const key in trace) metadata.set(key, trace[key] ?? '');
    if (header) setHeaders(metadata, new Headers(header));
    return metadata;
  };
}
