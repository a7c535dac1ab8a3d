import { createBuckets, type Rate } from '@parley/kit/flow/limits/buckets';
import type { Clock } from '@parley/kit/runtime/clock';
import type { Logger } from '@parley/kit/runtime/telemetry/log';

/** One line about a request over HTTP or a socket, or about an upgrade. Undefined: it is not known. */
export type RequestFields = {
  /** The method of HTTP, or the name of a socket's request. */
  method: string;
  /** Path of the route, since the path of the request may hold a session token. */
  route: string;
  appId?: string | undefined;
  userId?: string | undefined;
  /** Id of the problem that was answered. */
  error?: string | undefined;
  requestId?: string | undefined;
};

/** `status` is that of the answer over HTTP; `ms` the time until it. */
export type RequestLog = {
  /**
   * Writes a line at `info` for a request that was refused by a limit or failed by our fault (429 and 5xx), or that took long, and
   * for a share of the others; at `debug` for all.
   */
  answered(status: number, ms: number, fields: () => RequestFields): void;
  /** Writes a line at `info`. */
  upgradeRefused(status: number, ms: number, fields: RequestFields): void;
};

export type RequestLogOptions = {
  log: Logger;
  clock: Clock;
  /** From so many milliseconds on a request is slow. */
  slowMs: number;
  /** 0 to 1. */
  share: number;
};

/** So that a client which floods a gateway does not flood its log: lines of one application, and of all. */
const RATE_OF_APP: Rate = { perSecond: 5, burst: 50 };
const RATE_OF_ALL: Rate = { perSecond: 50, burst: 500 };

export function createRequestLog({ log, clock, slowMs, share }: RequestLogOptions): RequestLog {
  const ofApp = createBuckets(RATE_OF_APP, clock);
  const ofAll = createBuckets(RATE_OF_ALL, clock);
  let sampled = 0;
  let omitted = 0;

  /** `omitted`: lines that were left out since the last one. */
  function write(line: RequestFields & { status: number; ms: number }, message: string): void {
    if (ofApp.take(line.appId ?? '') > 0 || ofAll.take('all') > 0) {
      omitted += 1;
      return;
    }
    log.info(omitted > 0 ? { ...line, omitted } : line, message);
    omitted = 0;
  }

  function isSampled(): boolean {
    sampled += share;
    if (sampled < 1) return false;
    sampled -= 1;
    return true;
  }

  return {
    answered(status, ms, fields) {
      if (status === 429 || status >= 500) write({ ...fields(), status, ms }, 'request refused');
      else if (ms >= slowMs) write({ ...fields(), status, ms }, 'slow request');
      else if (share > 0 && isSampled()) log.info({ ...fields(), status, ms }, 'request');
      else if (log.isLevelEnabled('debug')) log.debug({ ...fields(), status, ms }, 'request');
    },
    upgradeRefused: (status, ms, fields) => write({ ...fields, status, ms }, 'upgrade refused'),
  };
}
