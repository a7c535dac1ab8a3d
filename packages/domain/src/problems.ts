// The one error table, how a failure is thrown, and how it looks to a client.
export { toHttp, type HttpProblem } from './problems/http.ts';
export { fail, failWith, problem, problemOf, type ProblemDetails } from './problems/problem.ts';
export { isProblemId, problems, type ProblemId } from './problems/table.ts';
