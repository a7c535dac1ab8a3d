import { createClient } from '@connectrpc/connect';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';
import { TRANSPORT } from './transport.ts';

/** The administration API of pushes; apart, so that only its page loads its descriptors. */
export const PUSH_ADMIN = createClient(PushAdminService, TRANSPORT);
