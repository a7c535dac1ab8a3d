import { MessageMetadata, Metadata } from '@parley/contract/records/metadata';
import { SOCKET_METHODS } from '@parley/contract/socket/requests/index';
import { requestPacket } from '@parley/contract/socket/requests/packets';
import { clientPacket } from '@parley/contract/socket/packet';
import { TypingSignalInput } from '@parley/contract/socket/signals';
import { defectsOf } from '@parley/contract/testing/defects';
import { validValues } from '@parley/contract/testing/valid-values';
import { problemOf } from '@parley/domain/problems';
import { createWire } from '@parley/domain/wire';
import fc from 'fast-check';
import { CLOSE_CODES } from './connection.ts';
import { PacketError, parsePacket, type ClientPacket } from './packet.ts';

const WIRE = createWire('svc');
const NAMED = { MessageMetadata, Metadata };
const RUNS = { numRuns: 8 };

type Request = { body: { request_id?: unknown; method: string; object_id?: unknown; data?: unknown } };

function parse(packet: unknown): ClientPacket {
  return parsePacket(WIRE, JSON.stringify(packet));
}

/** The id of the problem, or the code that the socket is closed with; undefined: the packet is accepted. */
function refusalOf(packet: unknown): unknown {
  try {
    parse(packet);
    return undefined;
  } catch (error) {
    return error instanceof PacketError ? error.closeCode : problemOf(error)?.id;
  }
}

/** The expected refusal of a packet with a defect in its envelope. */
function expectedRefusal(path: string): unknown {
  return path === '' || path === 'type' ? CLOSE_CODES.unsupportedPacket : 'invalid_request';
}

describe.each(Object.entries(SOCKET_METHODS))('a request of %s', (method, described) => {
  const schema = requestPacket(method, described);

  test('is accepted as it is described', () => {
    fc.assert(
      fc.property(validValues(schema, NAMED), (packet) => {
        const { body } = JSON.parse(JSON.stringify(packet)) as Request;
        expect(parse(packet)).toEqual({
          type: 'request',
          request: {
            requestId: body.request_id ?? null,
            method,
            objectId: body.object_id,
            data: body.data,
          },
        });
      }),
      RUNS,
    );
  });

  test('is refused with a defect in its envelope', () => {
    fc.assert(
      fc.property(validValues(schema, NAMED), (packet) => {
        const inEnvelope = [...defectsOf(schema, packet, NAMED)].filter(({ path }) =>
          ['', 'type', 'body', 'body.request_id'].includes(path),
        );
        expect(inEnvelope).not.toEqual([]);
        for (const { path, value } of inEnvelope) expect(refusalOf(value)).toBe(expectedRefusal(path));
      }),
      RUNS,
    );
  });
});

describe('a typing signal', () => {
  const schema = clientPacket('signal', TypingSignalInput);

  test('is accepted as it is described', () => {
    fc.assert(
      fc.property(validValues(schema), (packet) => {
        expect(parse(packet)).toMatchObject({ type: 'signal', typing: { action: expect.any(Number) } });
      }),
      RUNS,
    );
  });

  test('is refused with any defect, and dropped with an unknown type', () => {
    fc.assert(
      fc.property(validValues(schema), (packet) => {
        for (const { path, kind, value } of defectsOf(schema, packet)) {
          const isUnknown = path === 'body.type' && typeof (value as SignalPacket).body.type === 'string';
          if (isUnknown) expect(parse(value)).toEqual({ type: 'signal', typing: undefined });
          else expect([path, kind, refusalOf(value)]).toEqual([path, kind, expectedRefusal(path)]);
        }
      }),
      RUNS,
    );
  });
});

type SignalPacket = { body: { type?: unknown } };
