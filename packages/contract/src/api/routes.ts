import { OPERATIONS, type OperationId } from './index.ts';
import type { Method, Operation } from './operation.ts';

/** An operation at one of its paths. */
export type ApiRoute = Operation & {
  id: OperationId;
  method: Method;
  path: string;
  /** The operation is one of a user's session, and the application's server calls it. */
  asUser: boolean;
};

const ALL = (Object.keys(OPERATIONS) as OperationId[]).map(toRoute);
const OF_USERS = ALL.filter(({ auth }) => auth === 'session');

/** The whole public API. A path of the server's own comes before the same one by which it acts as a user. docs/protocol/requests.md#acting-as-a-user */
export const ROUTES: readonly ApiRoute[] = [...ALL, ...OF_USERS.map(asUser)];

function toRoute(id: OperationId): ApiRoute {
  const operation = OPERATIONS[id];
  const [method, path = ''] = operation.route.split(' ');
  return { ...operation, id, method: method as Method, path, asUser: false };
}

function asUser(route: ApiRoute): ApiRoute {
  return { ...route, path: `/apps/:app_uuid/users/:as_user_id${route.path}`, auth: 'bearer', asUser: true };
}
