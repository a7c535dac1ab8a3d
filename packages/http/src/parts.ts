import type { ErrorDocs } from '@parley/domain/problems';
import type { Logger } from '@parley/kit/runtime/telemetry/log';
import type { Metrics } from '@parley/kit/runtime/telemetry/metrics';
import type { RequestLog } from './request-log.ts';
import type { AddressLimits } from './limits/address-limits.ts';

/** Parts of a process that its listeners work with. */
export type HttpParts = {
  log: Logger;
  metrics: Metrics;
  errorDocs: ErrorDocs;
  requestLog: RequestLog;
  limits: Pick<AddressLimits, 'refusals' | 'addressOf'>;
  /** Whether larger answers are compressed for clients that ask for it. */
  compresses: boolean;
  /** Proxies in front of the process. */
  trustedProxies: number;
};
