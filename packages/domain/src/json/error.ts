import type { JsonObject } from '@bufbuild/protobuf';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { isProblemId, problems } from '../problems/table.ts';

export type ErrorJson = { id: string; code: number; message: string; url: string; data: JsonObject | null };

/** `docsUrl` is the page that has a section for each error. SPEC Error object */
export function errorJson(problem: Problem, docsUrl: string): ErrorJson {
  const id = isProblemId(problem.id) ? problem.id : 'internal_server_error';
  return {
    id,
    code: problems[id].code,
    message: problem.message || problems[id].message,
    url: `${docsUrl}#${id}`,
    data: problem.data ?? null,
  };
}
