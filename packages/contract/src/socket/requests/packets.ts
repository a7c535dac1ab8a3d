import Type, { type TSchema } from 'typebox';
import { errors, type ErrorId } from '../../errors.ts';
import { ErrorRecord } from '../../records/error.ts';
import { nullable, oneOf } from '../../schema/schema.ts';
import { clientPacket, RequestId, serverPacket } from '../packet.ts';
import { COMMON_ERRORS, type SocketMethod } from './request.ts';

/** The packet that asks for a method. */
export function requestPacket(method: string, { objectId, data }: SocketMethod): TSchema {
  const body = Type.Object({
    request_id: Type.Optional(RequestId),
    method: Type.Literal(method),
    ...(objectId && { object_id: objectId.schema }),
    ...(data && { data: data.required ? data.schema : Type.Optional(nullable(data.schema)) }),
  });
  return clientPacket('request', body);
}

/** The packet that answers a request that succeeded. */
export function responsePacket(method: string, { result }: SocketMethod): TSchema {
  return serverPacket('response', responseBody(method, true, result.schema));
}

/** The packet that answers a request that failed. */
export function failurePacket(method: string, socketMethod: SocketMethod): TSchema {
  const data = errorOf(failuresOf(socketMethod));
  return serverPacket('response', responseBody(method, false, data));
}

/** Every error of a method. */
export function failuresOf({ errors: own }: SocketMethod): ErrorId[] {
  return [...own, ...COMMON_ERRORS].sort();
}

function responseBody(method: string, success: boolean, data: TSchema): TSchema {
  return Type.Object({
    request_id: RequestId,
    method: Type.Literal(method),
    success: Type.Literal(success),
    data,
  });
}

function errorOf(ids: readonly ErrorId[]): TSchema {
  const description = ids.map((id) => `\`${id}\`: ${errors[id].message}`).join('\n\n');
  return Type.Intersect([ErrorRecord, Type.Object({ id: oneOf(ids, 'One of these.') })], { description });
}

/** The packet that answers a request of an unknown method, or what was no request. */
export const RefusalPacket = serverPacket(
  'response',
  Type.Object({
    request_id: RequestId,
    method: nullable(
      Type.String({
        description:
          'The unknown method, empty if it was not a short text; null: the packet had no valid envelope.',
      }),
    ),
    success: Type.Literal(false),
    data: errorOf(['invalid_request', 'rate_limit_exceeded']),
  }),
);
