import { Code } from '@connectrpc/connect';

type Row = { code: number; httpStatus: number; grpcCode: Code; message: string };

/** Every failure that a client may see. SPEC Errors, completions 2 */
export const problems = {
  service_unavailable: row(1, 503, Code.Unavailable, 'The service is unavailable at the moment.'),
  invalid_app_id: row(2, 403, Code.PermissionDenied, 'The app id is not valid.'),
  invalid_request_id: row(
    3,
    400,
    Code.InvalidArgument,
    'The id is neither a UUID nor a URI of the right kind.',
  ),
  authentication_required: row(4, 401, Code.Unauthenticated, 'A valid token is required.'),
  app_suspended: row(5, 403, Code.PermissionDenied, 'The app is suspended.'),
  user_suspended: row(6, 403, Code.PermissionDenied, 'The user is suspended.'),
  rate_limit_exceeded: row(7, 429, Code.ResourceExhausted, 'Too many requests.'),
  request_timeout: row(8, 408, Code.DeadlineExceeded, 'The request took too long.'),
  invalid_operation: row(9, 422, Code.FailedPrecondition, 'The operation is not possible now.'),
  invalid_request: row(10, 400, Code.InvalidArgument, 'The request is not of the expected form.'),
  request_entity_too_large: row(11, 413, Code.OutOfRange, 'The request body is too large.'),
  internal_server_error: row(100, 500, Code.Internal, 'Something went wrong.'),
  access_denied: row(101, 403, Code.PermissionDenied, 'The user does not take part in this conversation.'),
  not_found: row(102, 404, Code.NotFound, 'There is no such object.'),
  object_deleted: row(103, 410, Code.NotFound, 'The object was deleted.'),
  missing_property: row(104, 422, Code.InvalidArgument, 'A required property is missing.'),
  invalid_property: row(105, 422, Code.InvalidArgument, 'A property is not valid.'),
  invalid_endpoint: row(106, 404, Code.Unimplemented, 'There is no such endpoint.'),
  invalid_header: row(107, 406, Code.InvalidArgument, 'A header is missing or not valid.'),
  conflict: row(108, 409, Code.AlreadyExists, 'The object conflicts with one that exists.'),
  method_not_allowed: row(109, 405, Code.Unimplemented, 'The endpoint does not take this method.'),
  participant_blocked: row(110, 422, Code.FailedPrecondition, 'A participant blocks the user.'),
  id_in_use: row(111, 409, Code.AlreadyExists, 'The id is in use.'),
  permission_denied: row(999, 403, Code.PermissionDenied, 'The caller lacks the permission.'),
} as const satisfies Record<string, Row>;

export type ProblemId = keyof typeof problems;

export function isProblemId(text: string): text is ProblemId {
  return Object.hasOwn(problems, text);
}

function row(code: number, httpStatus: number, grpcCode: Code, message: string): Row {
  return { code, httpStatus, grpcCode, message };
}
