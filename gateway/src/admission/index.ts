import type { OperatorLog } from '@parley/administration/audit/log';
import type { Wire } from '@parley/domain/wire';
import { createResponseSlots, type ResponseSlots } from '@parley/http/answers/slots';
import type { Stopper } from '@parley/kit/runtime/process';
import type { Base } from '@parley/kit/service/base';
import type { Clients } from '../upstream/clients.ts';
import { createAuth, type Auth } from './auth/index.ts';
import { createConsoleTokens, type ConsoleTokens } from './console-tokens.ts';
import { createLimits, type Limits, type LimitsConfig } from './limits/index.ts';

/** Authorization and limits of requests. */
export type Admission = {
  auth: Auth;
  consoleTokens: ConsoleTokens;
  limits: Limits;
  /** Slots for answers held in memory. */
  responseSlots: ResponseSlots;
};

type Options = {
  config: LimitsConfig;
  clients: Pick<Clients, 'identity' | 'consoleAccess'>;
  wire: Wire;
  base: Base;
  stopper: Stopper;
  auditLog: OperatorLog;
};

export function createAdmission({ config, clients, wire, base, stopper, auditLog }: Options): Admission {
  const { clock, followedClock, log } = base;
  const auth = createAuth({ identity: clients.identity, wire, clock, followedClock, log });
  stopper.add('authentication', () => auth.stop());
  return {
    auth,
    consoleTokens: createConsoleTokens({ access: clients.consoleAccess, log: auditLog }),
    limits: createLimits(config, clock),
    responseSlots: createResponseSlots(),
  };
}
