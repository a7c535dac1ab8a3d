import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { guardListener } from '../runtime/guard-listener.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { boundedRequest, type HeaderLimits } from './bounded-request.ts';
import { drain } from './drain.ts';
import { endLateBody, hasBody } from './late-body.ts';
import { faultOfParser, MALFORMED, plainFaultAnswer, type Fault, type FaultAnswer } from './fault.ts';
import { checkRequest, isFault } from './guard.ts';
import { answerAfter, writeFaultAnswer, writeRawAnswer, type Pair } from './raw-answer.ts';
import type { Target } from './target.ts';

/** A request that passed the checks shared by all listeners. */
export type Received = Pair & {
  target: Target;
  /** The client waits for `100 Continue` before it sends the body. Only set if the listener `continues`. */
  expectsContinue: boolean;
};

/**
 * Everything that listens for HTTP; the same tests run for each. docs/decisions/foundation.md#one-list-of-rules-for-everything-that-listens
 */
export const LISTENERS = ['public', 'console', 'content', 'metrics', 'demonstration'] as const;
export type ListenerName = (typeof LISTENERS)[number];

export type ListenerOptions = {
  name: ListenerName;
  answer(received: Received): unknown;
  /** Called when `answer` throws; the connection is then closed. */
  failed(error: unknown): void;
  /** Default: a line of text. */
  faultAnswer?: (fault: Fault) => FaultAnswer;
  /** Answers a faulty request that was read completely. Default: by `faultAnswer`. */
  refuse?: (pair: Pair, fault: Fault) => unknown;
  headerLimits?: HeaderLimits;
  /** Limit of the total size of all headers. */
  maxHeaderBytes?: number;
  /** Whether a body may take any time, as long as data keeps arriving. */
  takesLongBodies?: boolean;
  /** Whether `answer` sends `100 Continue` itself. */
  continues?: boolean;
  /** Whether the server has a listener for upgrades to WebSocket. Other protocols are declined by answering in HTTP/1.1. RFC 9110, 7.8 */
  upgrades?: boolean;
  /** Connection limits; shorter in tests. */
  limits?: Partial<ConnectionLimits>;
  /** Whether `answer` and `refuse` write `ANSWER_HEADERS` with the other headers, which costs less than setting them before. */
  writesAnswerHeaders?: boolean;
};

export type Listener = {
  server: Server;
  /** Starts listening and returns the port. 0: any free port. `host` undefined: every address of this machine. */
  listen(port: number, host?: string): Promise<number>;
  /** Accepts no new connections, and lets running requests finish. */
  stop(): Promise<void>;
};

/** docs/limits.md#connections. Milliseconds. */
export const CONNECTION_LIMITS = {
  /** Time from the first byte of a connection or request to the end of its headers; then 408. */
  headersTimeout: 30_000,
  /** Time for a whole request with its body; then 408. */
  requestTimeout: 60_000,
  /** Longer than the idle timeout of load balancers in front, which otherwise send requests into a connection that is being closed. */
  keepAliveTimeout: 75_000,
  /** A silent connection, such as that of a machine that has vanished, is closed. */
  idleTimeout: 90_000,
  /** A body that continues after its request was answered is read for this long, since closing at once would lose the answer. */
  lingerTimeout: 2_000,
  connectionsCheckingInterval: 10_000,
} as const;

export type ConnectionLimits = { [name in keyof typeof CONNECTION_LIMITS]: number };

const DEFAULT_MAX_HEADER_BYTES = 16_384;

/** An HTTP/1.1 server with the rules shared by all listeners. docs/decisions/foundation.md#one-list-of-rules-for-everything-that-listens */
export function createListener(options: ListenerOptions): Listener {
  const { faultAnswer = plainFaultAnswer } = options;
  const { lingerTimeout } = { ...CONNECTION_LIMITS, ...options.limits };
  const latest = new WeakMap<Duplex, Pair>();
  const failed = new WeakSet<Duplex>();
  // eslint-disable-next-line no-restricted-syntax -- Every other listener is one of these.
  const server = createServer(serverOptions(options));
  server.timeout = options.limits?.idleTimeout ?? CONNECTION_LIMITS.idleTimeout;
  const take = (expectsContinue: boolean) => (req: IncomingMessage, res: ServerResponse) => {
    latest.set(req.socket, { req, res });
    // The client should open another connection, to another process.
    if (!server.listening) res.shouldKeepAlive = false;
    if (hasBody(req)) endLateBody({ req, res }, lingerTimeout);
    guardListener(
      () => answer(options, { req, res }, expectsContinue),
      (error) => {
        options.failed(error);
        res.destroy();
      },
    );
  };
  server.on('request', take(false));
  // An unknown expectation is ignored, or Node would answer 417 without a body. RFC 9110, 10.1.1
  server.on('checkExpectation', take(false));
  if (options.continues) server.on('checkContinue', take(true));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (failed.has(socket)) return;
    failed.add(socket);
    if (error.code === 'ECONNRESET') return void socket.destroy();
    answerAfter(socket, latest.get(socket), faultAnswer(faultOfParser(error)));
  });
  // This is no proxy.
  server.on('connect', (_req, socket) => {
    socket.on('error', () => undefined);
    writeRawAnswer(socket, faultAnswer(MALFORMED));
  });
  return {
    server,
    async listen(port, host) {
      server.listen(port, host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    stop: () => drain(server),
  };
}

function serverOptions(options: ListenerOptions) {
  const { headerLimits, maxHeaderBytes, takesLongBodies, upgrades = false, limits } = options;
  const { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = {
    ...CONNECTION_LIMITS,
    ...limits,
  };
  return {
    ...(headerLimits && { IncomingMessage: boundedRequest(headerLimits) }),
    headersTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    requestTimeout: takesLongBodies ? 0 : requestTimeout,
    maxHeaderSize: maxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES,
    ...(takesLongBodies && { highWaterMark: 256 * 1024 }),
    // The checks examine Host themselves, and refuse with a body.
    requireHostHeader: false,
    // A faulty upgrade is answered like an ordinary request.
    shouldUpgradeCallback: (req: IncomingMessage) =>
      upgrades && req.headers.upgrade?.toLowerCase() === 'websocket' && !isFault(checkRequest(req)),
  };
}

function answer(options: ListenerOptions, pair: Pair, expectsContinue: boolean): unknown {
  const { req, res } = pair;
  if (!options.writesAnswerHeaders)
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) res.setHeader(name, value);
  const checked = checkRequest(req);
  if (!isFault(checked)) return options.answer({ req, res, target: checked, expectsContinue });
  if (!checked.keepsConnection || expectsContinue) res.shouldKeepAlive = false;
  if (options.refuse) return options.refuse(pair, checked);
  return writeFaultAnswer(res, (options.faultAnswer ?? plainFaultAnswer)(checked));
}
