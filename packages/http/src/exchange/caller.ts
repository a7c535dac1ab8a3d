import type { Caller } from '@parley/proto/parley/identity/v1/identity_service_pb';

/** The caller of a request. `userId` empty: a server. */
export type ExchangeCaller = {
  appId: string;
  userId: string;
  tokenId: string;
  /** The person whose token of an application it is, in the form that is passed on to services. */
  actor?: string | undefined;
  /** The caller, when it is such a token. */
  operator?: Caller | undefined;
};
