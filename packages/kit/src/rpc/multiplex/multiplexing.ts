import type { DescMethod } from '@bufbuild/protobuf';
import { pathOf } from '../client-call.ts';
import { isIdempotent } from '../idempotency.ts';
import { createLinks, type LinkOptions, type Links } from './links.ts';

export type MultiplexingOptions = {
  /** These calls have streams of their own, so that a large answer to another call does not hold them up. */
  apart?: readonly DescMethod[] | undefined;
  /** These calls are made by themselves, since their answers may have megabytes; as calls with a byte budget are. */
  alone?: readonly DescMethod[] | undefined;
};

/** The multiplexed calls of a channel. */
export type Multiplexing = {
  /** The streams that carry the calls of a method; undefined: each of its calls is made by itself. */
  linksOf(method: DescMethod): Links | undefined;
  /** As of the channel. */
  serverOf(number: number): string | undefined;
  close(): void;
};

/**
 * Unary calls that may be repeated are multiplexed, unless their answers may have megabytes, which would hold up
 * those of other calls, and of which more garbage would get old while they arrive on a stream that lives long.
 */
export function createMultiplexing(
  { apart = [], alone = [] }: MultiplexingOptions,
  options: LinkOptions,
): Multiplexing {
  for (const method of apart)
    if (!isIdempotent(method))
      throw new Error(`${pathOf(method)} may not be repeated, so it cannot be multiplexed`);
  const [setApart, madeAlone] = [new Set(apart), new Set(alone)];
  const [common, own] = [createLinks(options), createLinks(options)];
  return {
    linksOf(method) {
      if (setApart.has(method)) return own;
      return isIdempotent(method) && !hasBudget(method) && !madeAlone.has(method) ? common : undefined;
    },
    // They follow the same addresses.
    serverOf: (number) => (setApart.size > 0 ? own : common).serverOf(number),
    close() {
      common.close();
      own.close();
    },
  };
}

function hasBudget({ input }: DescMethod): boolean {
  return 'byteBudget' in input.field;
}
