// The error table, functions that throw its errors, and their form for clients.
export type { ErrorDocs } from './json/error.ts';
export { toHttp, unavailability, type HttpProblem } from './problems/http.ts';
export {
  errorOf,
  fail,
  failWith,
  problem,
  problemOf,
  tooManyAtOnce,
  type PlainProblemId,
  type ProblemDetails,
} from './problems/problem.ts';
export { failCodedBody } from './problems/coded-body.ts';
export { failUnknownFromId } from './problems/from-id.ts';
export { failNewUserId } from './problems/new-user-id.ts';
export { failTooMany, type Excess } from './problems/too-many.ts';
export { failNotFound, notFound, type MissingObject } from './problems/not-found.ts';
export { objectKinds, type ObjectKind } from './problems/object-kinds.ts';
export { retryHeaders } from './problems/retry-headers.ts';
export { isProblemId, problems, type ProblemId } from './problems/table.ts';
