/** The body of a packet, encoded once for all the sockets that get it. */
export class FrameBody {
  readonly json: string;
  #bytes: Buffer | undefined;

  constructor(json: string) {
    this.json = json;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.json));
  }
}

export function frameBody(value: unknown): FrameBody {
  return new FrameBody(JSON.stringify(value));
}

export type PacketType = 'hello' | 'change' | 'response' | 'signal' | 'operation' | 'error';

const CLOSING_BRACE = Buffer.from('}');

/** One server packet as UTF-8; only counter and time differ between the sockets that get the same body. */
export function encodePacket(type: PacketType, counter: number, timestamp: string, body: FrameBody): Buffer {
  const bytes = body.bytes;
  const head = `{"type":"${type}","counter":${counter},"timestamp":"${timestamp}","body":`;
  const packet = Buffer.allocUnsafe(head.length + bytes.length + 1);
  packet.write(head, 0, 'latin1');
  bytes.copy(packet, head.length);
  CLOSING_BRACE.copy(packet, head.length + bytes.length);
  return packet;
}
