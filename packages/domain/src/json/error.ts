import type { JsonObject } from '@bufbuild/protobuf';
import type { ErrorRecord } from '@parley/contract/records/error';
import type { Problem } from '@parley/proto/parley/problem/v1/problem_pb';
import { identityUri, isUserId, isUuid } from '../ids.ts';
import { uriKindOf } from '../problems/object-kinds.ts';
import { isProblemId, problems } from '../problems/table.ts';
import type { Wire } from '../wire.ts';

/** The errors page, and the names of errors in it. */
export type ErrorDocs = { url: string; wire: Wire };

/** docs/protocol/errors.md */
export function errorJson(problem: Problem, docs: ErrorDocs): ErrorRecord {
  const id = isProblemId(problem.id) ? problem.id : 'internal_server_error';
  return {
    id,
    code: problems[id].code,
    message: problem.message || problems[id].message,
    url: `${docs.url}#${id}`,
    data: dataJson(problem, docs.wire),
  };
}

function dataJson({ id, data }: Problem, wire: Wire): JsonObject | null {
  if (!data) return null;
  return id === 'not_found' ? { ...data, id: publicId(data, wire) } : data;
}

/** The URI of an object; an invalid id, or one of a kind without URIs, as the caller sent it. */
function publicId({ kind, id }: JsonObject, wire: Wire): string | null {
  if (typeof id !== 'string') return null;
  const uriKind = uriKindOf(kind);
  if (uriKind === 'identities') return isUserId(id) ? identityUri(wire, id) : id;
  return uriKind && isUuid(id) ? wire.uri(uriKind, id.toLowerCase()) : id;
}
