import { askRaw, type Asked, type RawAnswer } from './raw.ts';

/** A listener that is tried, and requests that it takes. */
export type ListenerSubject = {
  port: number;
  /** Host header of requests. */
  host: string;
  /** GET requests that succeed, each of another part of the listener. */
  reads: readonly Asked[];
  /** Paths in upper case, or with one letter so, that lead nowhere. */
  unknown: readonly string[];
  /** Requests with a body that succeed or are refused for something else, and are refused with 415 when the body is compressed. */
  writes: readonly Asked[];
  /** Whether errors have the form of the API's. */
  isApi: boolean;
  /** Answers that have an ETag. */
  tagged: readonly Asked[];
  /** Reads whose answers caches may keep. */
  cached?: readonly string[];
  /** Whether a path is that of a file: other methods are 404, not 405. */
  isFile?: (path: string) => boolean;
  /** Whether it opens WebSockets. */
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
