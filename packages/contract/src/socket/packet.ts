import Type, { type TSchema } from 'typebox';
import { limits } from '../limits.ts';
import { nullable, time } from '../schema/schema.ts';

/** A packet that the gateway sends. `counter` and `timestamp` belong to the socket, `body` to the type. */
export function serverPacket<const T extends string, B extends TSchema>(type: T, body: B) {
  return Type.Object({
    type: Type.Literal(type),
    counter: Type.Integer({
      minimum: 0,
      description: 'Number of the packet on this socket: all packets count, from 0 on, without a gap.',
    }),
    timestamp: time('Server time when the packet was sent.'),
    body,
  });
}

/** A packet that a client sends. */
export function clientPacket<const T extends string, B extends TSchema>(type: T, body: B) {
  return Type.Object({ type: Type.Literal(type), body });
}

/** The id that a client gives to a request; the response repeats it. */
export const RequestId = nullable(
  Type.Union([
    Type.String({
      maxLength: limits.socketName,
      description: `At most ${limits.socketName} characters.`,
      examples: ['1'],
    }),
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  ]),
);
