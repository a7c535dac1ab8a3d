import type { RequestHandler } from 'express';
import type { GatewayContext } from '../../../../gateway/src/context.ts';

/** Lets requests for files of pages count for their address. Problems: rate_limit_exceeded. */
export function limitFiles({ limits }: Pick<GatewayContext, 'limits'>): RequestHandler {
  return (req, _res, next) => {
    limits.file(req);
    next();
  };
}
