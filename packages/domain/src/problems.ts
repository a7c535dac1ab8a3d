// The error table, functions that throw its errors, and their form for clients.
export { toHttp, type HttpProblem } from './problems/http.ts';
export {
  errorOf,
  fail,
  failWith,
  problem,
  problemOf,
  tooManyAtOnce,
  type ProblemDetails,
} from './problems/problem.ts';
export { failTooMany, type Excess } from './problems/too-many.ts';
export { retryHeaders } from './problems/retry-headers.ts';
export { isProblemId, problems, type ProblemId } from './problems/table.ts';
