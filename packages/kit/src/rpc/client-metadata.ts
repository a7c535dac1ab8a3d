import { Metadata } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { currentContext } from '../runtime/request-context.ts';
import type { TraceCarrier } from '../runtime/telemetry/tracing.ts';
import { setHeaders, type HeadersInput } from './metadata.ts';

export type MetadataSource = (header: HeadersInput, trace: TraceCarrier) => Metadata;

/**
 * Creates the metadata of each call: the secret, the ids of the request and its operation, its actor and trace, and the caller's additions.
 */
export function createMetadataSource(secret: string | undefined): MetadataSource {
  const base = new Metadata();
  if (secret) base.set('authorization', `Bearer ${secret}`);
  return (header, trace) => {
    const metadata = base.clone();
    const own = headersOfCall(trace);
    for (const key in own) metadata.set(key, own[key] ?? '');
    if (header) setHeaders(metadata, new Headers(header));
    return metadata;
  };
}

/** The ids of the request and its operation, its actor, and its trace. */
export function headersOfCall(trace: TraceCarrier): Record<string, string> {
  const context = currentContext();
  const headers: Record<string, string> = { 'x-request-id': context?.requestId ?? randomUUID(), ...trace };
  if (context?.operationId) headers['x-operation-id'] = context.operationId;
  if (context?.actor) headers['x-actor'] = context.actor;
  return headers;
}
