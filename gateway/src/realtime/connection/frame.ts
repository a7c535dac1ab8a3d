import { leanJson } from '@parley/domain/json/lean';
import type { Wire } from '@parley/domain/wire';
import type { About } from './gone-objects.ts';

type FrameOptions = {
  /** Whether the JSON is known to be ASCII; undefined: checked when it is first sent. */
  isAscii?: boolean;
  /** The result of `bytesOf`, if it is known. */
  bytes?: string | undefined;
  about?: About;
  /** Whether the lean form is identical. */
  isLean?: boolean;
};

/** The body of a packet, encoded once per form for all sockets that get it. */
export class FrameBody {
  readonly json: string;
  /** The packet's object, if the client may have been told that it is gone. */
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

  /** The JSON's UTF-8 as a string with one character per byte; usually identical to the JSON. */
  get bytes(): string {
    return (this.#bytes ??= bytesOf(this.json));
  }
}

export function frameBody(value: unknown, about?: About): FrameBody {
  return new FrameBody(JSON.stringify(value), about && { about });
}

export type PacketType = 'hello' | 'change' | 'response' | 'signal' | 'operation' | 'error';

/** One server packet as JSON; only counter and time differ between sockets with the same body. */
export function packetJson(type: PacketType, counter: number, timestamp: string, body: string): string {
  return `{"type":"${type}","counter":${counter},"timestamp":"${timestamp}","body":${body}}`;
}

/** Longest payloads whose length takes one byte and two bytes of a frame (RFC 6455, 5.2). */
const MAX_IN_HEADER = 125;
const MAX_IN_TWO_BYTES = 65_535;
/** The first byte of a text message in a single frame. */
const TEXT = '\x81';

/** A frame with a server's text message; `bytes` and the result have one character per byte. */
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

/** The UTF-8 of a text, with one character per byte. */
export function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}
