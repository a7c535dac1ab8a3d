import { closeCodes } from './connection.ts';

/** What a client may send. SPEC completions 6. */
export type ClientPacket =
  { type: 'request'; body: RequestBody } | { type: 'signal'; body: Record<string, unknown> };

export type RequestBody = { requestId: unknown; method: string; objectId: unknown; data: unknown };

export class PacketError extends Error {
  readonly closeCode: number;
  constructor(closeCode: number, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new PacketError(closeCodes.notJson, 'not JSON');
  }
};

/** Reads a packet; throws PacketError with the code that the socket is to be closed with. */
export const parsePacket = (text: string): ClientPacket => {
  const packet = parseJson(text);
  if (!isRecord(packet)) throw new PacketError(closeCodes.unsupportedPacket, 'not a packet');
  const body = isRecord(packet['body']) ? packet['body'] : {};
  if (packet['type'] === 'signal') return { type: 'signal', body };
  if (packet['type'] !== 'request')
    throw new PacketError(closeCodes.unsupportedPacket, 'unknown packet type');
  const method = typeof body['method'] === 'string' ? body['method'] : '';
  return {
    type: 'request',
    body: { requestId: body['request_id'] ?? null, method, objectId: body['object_id'], data: body['data'] },
  };
};
