import { Code } from '@connectrpc/connect';
import type { ErrorId } from '@parley/contract/errors';

/** Every failure that a client may see. */
export {
  errors as problems,
  isErrorId as isProblemId,
  statusOf,
  type ErrorId as ProblemId,
} from '@parley/contract/errors';

/** The code for a failure between services. */
export const GRPC_CODES: Readonly<Record<ErrorId, Code>> = {
  service_unavailable: Code.Unavailable,
  invalid_app_id: Code.PermissionDenied,
  invalid_request_id: Code.InvalidArgument,
  authentication_required: Code.Unauthenticated,
  app_suspended: Code.PermissionDenied,
  user_suspended: Code.PermissionDenied,
  rate_limit_exceeded: Code.ResourceExhausted,
  request_timeout: Code.DeadlineExceeded,
  invalid_operation: Code.FailedPrecondition,
  invalid_request: Code.InvalidArgument,
  request_entity_too_large: Code.OutOfRange,
  internal_server_error: Code.Internal,
  access_denied: Code.PermissionDenied,
  not_found: Code.NotFound,
  object_deleted: Code.NotFound,
  missing_property: Code.InvalidArgument,
  invalid_property: Code.InvalidArgument,
  invalid_endpoint: Code.Unimplemented,
  invalid_header: Code.InvalidArgument,
  conflict: Code.AlreadyExists,
  method_not_allowed: Code.Unimplemented,
  participant_blocked: Code.FailedPrecondition,
  id_in_use: Code.AlreadyExists,
  quota_exceeded: Code.PermissionDenied,
  permission_denied: Code.PermissionDenied,
};
