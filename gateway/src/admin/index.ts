import { createHash, timingSafeEqual } from 'node:crypto';
import { ConnectError } from '@connectrpc/connect';
import { errorToJson } from '@connectrpc/connect/protocol-connect';
import type { RequestHandler } from 'express';
import { retryHeaders, toHttp } from '@parley/domain/problems';
import type { GatewayContext } from '../context.ts';
import { challenge } from '../http/errors.ts';
import { forwardAdmin } from './forward.ts';
import { importRoutes } from './import.ts';
import { pushRoutes } from './push.ts';
import { serveConnect } from './serve.ts';

/**
 * The administration API in the Connect protocol, for holders of the administration token.
 * docs/protocol/administration.md
 */
export function createAdmin({
  config,
  adminTransport,
  messagingTransport,
  pushTransport,
  auth,
  wire,
  log,
  limits,
  errorDocs,
}: GatewayContext): RequestHandler[] {
  const forward = forwardAdmin({
    transport: adminTransport,
    learnRevocations: () => auth.learnRevocations(),
  });
  const restore = importRoutes({ wire, identity: adminTransport, messaging: messagingTransport });
  const pushes = pushRoutes({ identity: adminTransport, push: pushTransport });
  const admits = createAdmits(config.adminToken);
  return [
    (req, res, next) => {
      if (admits(req.headers.authorization)) return next();
      try {
        limits.failedTokens(req).missing();
      } catch (error) {
        const refusal = toHttp(error, errorDocs);
        return res
          .status(refusal.status)
          .set(retryHeaders(refusal) ?? {})
          .json(errorToJson(ConnectError.from(error), undefined));
      }
      res
        .status(401)
        .set('www-authenticate', challenge({ wire }, ['Bearer']))
        .json({ code: 'unauthenticated', message: 'The administration token is missing or wrong.' });
    },
    serveConnect(log, forward, restore, pushes),
  ];
}

/** Takes the same time for every wrong token. */
function createAdmits(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization = '') => {
    const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
    return timingSafeEqual(digest(given), expected);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
