import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { currentContext } from '../request-context.ts';
import { formatPretty } from './log-pretty.ts';
import { redact } from './log-redact.ts';

export type Logger = PinoLogger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export type LoggerOptions = {
  service: string;
  level: LogLevel;
  /** Lines for people instead of JSON. */
  pretty?: boolean | undefined;
  /** Default: standard output. */
  destination?: DestinationStream | undefined;
};

/**
 * JSON lines `{ level, time, service, msg, … }` with the level as a word and the time in ISO form. Credentials are
 * removed at any depth; a line written while a request runs carries its `requestId`.
 */
export function createLogger({ service, level, pretty, destination }: LoggerOptions): Logger {
  const output = destination ?? pino.destination({ fd: 1, sync: true });
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
      mixin: requestFields,
      hooks: { streamWrite: pretty ? (line) => formatPretty(redact(line)) : redact },
    },
    output,
  );
}

/** A logger for work that goes on outside of the request's own context. */
export function withRequestId(log: Logger, requestId: string): Logger {
  return log.child({ requestId });
}

function requestFields(): object {
  const ctx = currentContext();
  return ctx ? { requestId: ctx.requestId } : {};
}
