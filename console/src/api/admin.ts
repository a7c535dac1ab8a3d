import { createClient } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { TRANSPORT } from './transport.ts';

/** The administration API of applications and users. */
export const ADMIN = createClient(AdminService, TRANSPORT);
