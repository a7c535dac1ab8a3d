import { linkHeader } from './link-header.ts';
import { linksOf } from './links.ts';
import type { HttpResponse } from '@parley/http/answers/response';
import type { Uses } from '../context.ts';

/** GET / */
export function linkServices(ctx: Uses<'config'>): HttpResponse {
  return { status: 204, headers: { link: linkHeader(linksOf(ctx)) } };
}

/** GET /ping */
export function ping(): HttpResponse {
  return { status: 200, body: {} };
}
