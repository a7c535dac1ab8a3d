import type { AppIds } from '../../api/app-ids.ts';
import { serverQuery } from '../../api/server-queries.ts';

/** The types of conversations of an application, `default` first. */
export function typesQuery(app: AppIds) {
  return serverQuery(app, ['types'], (server) => server.listTypes());
}
