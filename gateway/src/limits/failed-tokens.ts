import type { IncomingMessage } from 'node:http';
import type { Limit } from './limit.ts';

/** Counts the tokens of one caller's address that turn out to be bad. */
export type TokenGuard = {
  /** Before a token is looked up, or refused without. Problems: rate_limit_exceeded. */
  begin(): void;
  /** After a look-up that found the token to be good, or failed for another reason. */
  excuse(): void;
};

/**
 * A look-up takes one of the address's tries, and gives it back unless the token is bad: any number of users with good
 * tokens may share an address, and wrong ones are refused before they cost a look-up and a nonce.
 */
export function guardTokens(limit: Limit, addressOf: (req: IncomingMessage) => string) {
  return (req: IncomingMessage): TokenGuard => ({
    begin: () => limit.take(addressOf(req)),
    excuse: () => limit.giveBack(addressOf(req)),
  });
}
