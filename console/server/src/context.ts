import type { IncomingMessage } from 'node:http';
import { createClient, type Client, type Transport } from '@connectrpc/connect';
import type { OperatorLog } from '@parley/administration/audit/log';
import type { Wire } from '@parley/domain/wire';
import type { AddressLimits } from '@parley/http/limits/address-limits';
import { createLimit } from '@parley/http/limits/limit';
import type { HttpParts } from '@parley/http/parts';
import type { Clock } from '@parley/kit/runtime/clock';
import { ConsoleService } from '@parley/proto/parley/identity/v1/console_service_pb';
import type { ConsoleConfig } from './settings.ts';
import { createConsoleSignIn, type ConsoleSignIn } from './oidc/index.ts';

/** Parts of the process that the console's server runs in. */
export type Parts = HttpParts & {
  clock: Clock;
  wire: Wire;
  limits: AddressLimits;
  /** Multiplies the rate of sign-ins; 0: no limit. */
  rateFactor: number;
  channels: Readonly<Record<'identity' | 'messaging' | 'content' | 'push', Transport>>;
  auditLog: OperatorLog;
  /** Applies at once what was revoked before this call, where the process keeps tokens. */
  learnRevocations(): Promise<void>;
};

/** Parts that the administration API and the console's endpoints work with. */
export type ConsoleContext = Parts & {
  config: ConsoleConfig;
  consoleAccess: Client<typeof ConsoleService>;
  consoleSignIn: ConsoleSignIn;
  /** Takes one of the bucket for requests that sign in. Problems: rate_limit_exceeded. */
  limitSignIn(req: IncomingMessage): void;
};

export function createContext(config: ConsoleConfig, parts: Parts): ConsoleContext {
  const { rateFactor: factor, clock, channels, limits } = parts;
  const signIn = createLimit({ policy: 'sign_in', rate: config.signIn, factor, clock });
  return {
    ...parts,
    config,
    consoleAccess: createClient(ConsoleService, channels.identity),
    consoleSignIn: createConsoleSignIn(config),
    limitSignIn: (req) => signIn.take(limits.addressOf(req)),
  };
}
