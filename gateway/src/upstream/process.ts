import type { ErrorDocs } from '@parley/domain/problems';
import type { Wire } from '@parley/domain/wire';
import type { RequestLog } from '@parley/http/request-log';
import type { Base } from '@parley/kit/service/base';
import type { Figures } from '@parley/usage/recorder';

/** Parts of the process that all folders use. */
export type Process = Base & {
  wire: Wire;
  errorDocs: ErrorDocs;
  requestLog: RequestLog;
  /** Usage metrics for the console's charts. */
  figures: Figures;
};
