/** One kind of error that a client may see. */
export type ErrorKind = {
  /** The number that stands for `id`. */
  code: number;
  httpStatus: number;
  /** Text of `message` when nothing more precise is known. */
  message: string;
};

/** Every error that a client may see, by its id. docs/protocol/errors.md#errors-by-status */
export const errors = {
  service_unavailable: kind(1, 503, 'The service is unavailable at the moment.'),
  invalid_app_id: kind(2, 403, 'The app id is not valid.'),
  invalid_request_id: kind(3, 400, 'The id is neither a UUID nor a URI of the right kind.'),
  authentication_required: kind(4, 401, 'A valid token is required.'),
  app_suspended: kind(5, 403, 'The app is suspended.'),
  user_suspended: kind(6, 403, 'The user is suspended.'),
  rate_limit_exceeded: kind(7, 429, 'Too many requests.'),
  request_timeout: kind(8, 408, 'The request took too long.'),
  invalid_operation: kind(9, 422, 'The operation is not possible now.'),
  invalid_request: kind(10, 400, 'The request is not of the expected form.'),
  request_entity_too_large: kind(11, 413, 'The request body is too large.'),
  internal_server_error: kind(100, 500, 'Something went wrong.'),
  access_denied: kind(101, 403, 'The user does not take part in this conversation.'),
  not_found: kind(102, 404, 'There is no such object.'),
  object_deleted: kind(103, 410, 'The object was deleted.'),
  missing_property: kind(104, 422, 'A required property is missing.'),
  invalid_property: kind(105, 422, 'A property is not valid.'),
  invalid_endpoint: kind(106, 404, 'There is no such endpoint.'),
  invalid_header: kind(107, 406, 'A header is missing or not valid.'),
  conflict: kind(108, 409, 'The object conflicts with one that exists.'),
  method_not_allowed: kind(109, 405, 'The endpoint does not take this method.'),
  participant_blocked: kind(110, 422, 'A participant blocks the user.'),
  id_in_use: kind(111, 409, 'The id is in use.'),
  quota_exceeded: kind(113, 403, 'A quota is exhausted.'),
  permission_denied: kind(999, 403, 'The caller lacks the permission.'),
} as const satisfies Record<string, ErrorKind>;

export type ErrorId = keyof typeof errors;

/** The status of `invalid_header` where HTTP has one of its own for a header. */
const STATUS_BY_HEADER: Readonly<Record<string, number>> = { 'Content-Encoding': 415 };

/** The status that an error with these details is answered with. */
export function statusOf(id: ErrorId, data?: Readonly<Record<string, unknown>> | null): number {
  const header = id === 'invalid_header' ? data?.['header'] : undefined;
  const own = typeof header === 'string' && Object.hasOwn(STATUS_BY_HEADER, header);
  return (own && STATUS_BY_HEADER[header]) || errors[id].httpStatus;
}

export function isErrorId(text: string): text is ErrorId {
  return Object.hasOwn(errors, text);
}

function kind(code: number, httpStatus: number, message: string): ErrorKind {
  return { code, httpStatus, message };
}
