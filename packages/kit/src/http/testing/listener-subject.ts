import { askRaw, type Asked, type RawAnswer } from './raw.ts';

/** A listener under test, with requests that it accepts. */
export type ListenerSubject = {
  port: number;
  /** Host header of requests. */
  host: string;
  /** Successful GET requests, each to another part of the listener. */
  reads: readonly Asked[];
  /** Paths with upper-case letters that lead nowhere. */
  unknown: readonly string[];
  /** Requests with a body that succeed or are refused for another reason, and are refused with 415 when the body is compressed. */
  writes: readonly Asked[];
  /** Whether errors have the API's format. */
  isApi: boolean;
  /** Requests whose answers have an ETag. */
  tagged: readonly Asked[];
  /** Reads with cacheable answers. */
  cached?: readonly string[];
  /** Whether a path is a file's: other methods are answered 404 instead of 405. */
  isFile?: (path: string) => boolean;
  /** Whether it accepts WebSocket upgrades. */
  upgrades?: boolean;
};

export type Rule = readonly [sentence: string, check: (subject: ListenerSubject) => Promise<void>];

export async function each(
  asked: readonly Asked[],
  check: (one: Asked, plain: RawAnswer) => Promise<void>,
  subject: ListenerSubject,
): Promise<void> {
  for (const one of asked) {
    const plain = await askRaw(subject, one);
    expect([one.target, plain.status >= 200 && plain.status < 400]).toEqual([one.target, true]);
    await check(one, plain);
  }
}

export function withLines(asked: Asked, ...lines: string[]): Asked {
  return { ...asked, lines: [...(asked.lines ?? []), ...lines] };
}
