import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  extract,
  isTracing,
  markFailed,
  openSpan,
  recordFailure,
  SpanKind,
  withSpan,
  type Span,
} from '@parley/kit/runtime/telemetry/tracing';

/** Methods that name a span; clients may invent any others. */
const METHODS: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY'.split(' '),
);
/** Session tokens stand in paths. */
const TOKEN_IN_PATH = /(\/sessions\/)[^/]+/i;
const MAX_PATH = 1024;

type Asked = { method: string; path: string; requestId: string };

/** The span of a request, which continues the client's trace, if there is one; undefined without tracing. */
export function openHttpSpan(req: IncomingMessage, { method, path, requestId }: Asked): Span | undefined {
  if (!isTracing()) return undefined;
  const { traceparent } = req.headers;
  return openSpan(nameOf(method), {
    kind: SpanKind.SERVER,
    parent: extract(typeof traceparent === 'string' ? { traceparent } : {}),
    attributes: {
      'http.request.method': METHODS.has(method) ? method : '_OTHER',
      'url.path': path.replace(TOKEN_IN_PATH, '$1[redacted]').slice(0, MAX_PATH),
      'parley.request_id': requestId,
    },
  });
}

/** Runs the work of a request in its span, which ends when the answer has been written or the connection is lost. */
export async function inHttpSpan(
  span: Span | undefined,
  res: ServerResponse,
  work: () => Promise<void>,
): Promise<void> {
  if (!span) return work();
  try {
    await withSpan(span, work);
  } catch (error) {
    recordFailure(span, error);
    span.end();
    throw error;
  }
  if (res.destroyed) span.end();
  else res.once('close', () => span.end());
}

type Answered = { method: string; route: string | undefined; status: number };

/** Notes the route and the status of the answer. A status of the class 4xx is no error of a server. */
export function noteHttpAnswer(span: Span | undefined, { method, route, status }: Answered): void {
  if (!span) return;
  if (route !== undefined) {
    span.updateName(`${nameOf(method)} ${route}`);
    span.setAttribute('http.route', route);
  }
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) markFailed(span, String(status));
}

function nameOf(method: string): string {
  return METHODS.has(method) ? method : 'HTTP';
}
