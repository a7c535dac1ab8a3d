import { createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { CellAdminService } from '@parley/proto/parley/messaging/v1/cell_admin_service_pb';

/** Forwards the methods about cells to messaging. */
export function cellRoutes(messaging: Transport): (router: ConnectRouter) => void {
  const cells = createClient(CellAdminService, messaging);
  return (router) =>
    void router.service(CellAdminService, {
      listCells: (request) => cells.listCells(request),
      addCells: (request) => cells.addCells(request),
      moveCell: (request) => cells.moveCell(request),
    });
}
