import type { RequestHandler } from 'express';
import type { AddressLimits } from '@parley/http/limits/address-limits';

/** Lets requests for files of pages count for their address. Problems: rate_limit_exceeded. */
export function limitFiles({ limits }: { limits: Pick<AddressLimits, 'file'> }): RequestHandler {
  return (req, _res, next) => {
    limits.file(req);
    next();
  };
}
