import { leanJson } from '@parley/domain/json/lean';
import type { Wire } from '@parley/domain/wire';
import type { About } from './gone-objects.ts';

type FrameOptions = {
  /** Whether all characters of the JSON are known to be ASCII; otherwise it is looked at when it is first sent. */
  isAscii?: boolean;
  /** As by `bytesOf`, where that is known. */
  bytes?: string | undefined;
  about?: About;
  /** Whether the lean form is the same. */
  isLean?: boolean;
};

/** The body of a packet, encoded once in each form for all the sockets that get it. */
export class FrameBody {
  readonly json: string;
  /** The object that the packet is about, where the client may have been told that it is gone. */
  readonly about: About | undefined;
  #bytes: string | undefined;
  #lean: FrameBody | undefined;

  constructor(json: string, { isAscii = false, bytes, about, isLean = false }: FrameOptions = {}) {
    this.json = json;
    this.about = about;
    this.#bytes = isAscii ? json : bytes;
    if (isLean) this.#lean = this;
  }

  /** The form for sockets of the lean subprotocol. */
  lean(wire: Wire): FrameBody {
    return (this.#lean ??= this.#toLean(wire));
  }

  #toLean(wire: Wire): FrameBody {
    const json = JSON.stringify(leanJson(wire, JSON.parse(this.json)));
    return new FrameBody(json, { isLean: true, ...(this.about && { about: this.about }) });
  }

  /** The JSON's UTF-8, with one character for each byte; for most JSON that is the JSON itself. */
  get bytes(): string {
    return (this.#bytes ??= bytesOf(this.json));
  }
}

export function frameBody(value: unknown, about?: About): FrameBody {
  return new FrameBody(JSON.stringify(value), about && { about });
}

export type PacketType = 'hello' | 'change' | 'response' | 'signal' | 'operation' | 'error';

/** One server packet as JSON; only counter and time differ between the sockets that get the same body. */
export function packetJson(type: PacketType, counter: number, timestamp: string, body: string): string {
  return `{"type":"${type}","counter":${counter},"timestamp":"${timestamp}","body":${body}}`;
}

/** The lengths up to which a frame says its length in one byte, and in two (RFC 6455, 5.2). */
const MAX_IN_HEADER = 125;
const MAX_IN_TWO_BYTES = 65_535;
/** The first byte of a text message in a single frame. */
const TEXT = '\x81';

/** A text message of a server; `bytes` and the result have one character for each byte. */
export function textFrame(bytes: string): string {
  const { length } = bytes;
  if (length <= MAX_IN_HEADER) return `${TEXT}${String.fromCharCode(length)}${bytes}`;
  if (length <= MAX_IN_TWO_BYTES) return `${TEXT}\x7e${bigEndian(length, 2)}${bytes}`;
  return `${TEXT}\x7f${bigEndian(length, 8)}${bytes}`;
}

function bigEndian(value: number, count: number): string {
  let bytes = '';
  for (let rest = value; bytes.length < count; rest = Math.floor(rest / 256))
    bytes = String.fromCharCode(rest % 256) + bytes;
  return bytes;
}

/** The UTF-8 of a text, with one character for each byte. */
export function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
