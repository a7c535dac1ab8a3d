import { createClient } from '@connectrpc/connect';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';
import { TRANSPORT } from './transport.ts';

/** The administration API of cells; apart, so that only its page loads its descriptors. */
export const CELL_ADMIN = createClient(CellAdminService, TRANSPORT);
