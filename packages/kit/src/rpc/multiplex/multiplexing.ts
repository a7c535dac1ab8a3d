import type { DescMethod } from '@bufbuild/protobuf';
import { Carriage } from '@parley/proto/parley/rpc/v1/call_pb';
import { callFactsOf } from '../call-facts.ts';
import { isIdempotent } from '../idempotency.ts';
import { createLinks, type LinkOptions, type Links } from './links.ts';

export type MultiplexingOptions = {
  /** Default: what the .proto of the method says. */
  carriageOf?: (method: DescMethod) => Carriage;
};

/** The multiplexed calls of a channel. */
export type Multiplexing = {
  /** The streams for the calls of a method; undefined: its calls are made individually. */
  linksOf(method: DescMethod): Links | undefined;
  /** Preferred replica, as of the channel. */
  preferredReplica(number: number): string | undefined;
  close(): void;
};

/**
 * Repeatable unary calls are multiplexed, unless their answers may have megabytes: these would delay other calls' answers, and produce more
 * long-lived garbage while they arrive on a long-lived stream.
 */
export function createMultiplexing(
  { carriageOf = (method) => callFactsOf(method).carriage }: MultiplexingOptions,
  options: LinkOptions,
): Multiplexing {
  const [common, apart] = [createLinks(options), createLinks(options)];
  let hasApart = false;
  return {
    linksOf(method) {
      if (!isIdempotent(method) || hasBudget(method)) return undefined;
      const carriage = carriageOf(method);
      if (carriage === Carriage.APART) hasApart = true;
      if (carriage === Carriage.ALONE) return undefined;
      return carriage === Carriage.APART ? apart : common;
    },
    // Both sets of streams use the same addresses.
    preferredReplica: (number) => (hasApart ? apart : common).preferredReplica(number),
    close() {
      common.close();
      apart.close();
    },
  };
}

function hasBudget({ input }: DescMethod): boolean {
  return 'byteBudget' in input.field;
}
