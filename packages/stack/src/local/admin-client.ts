import { createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';

/** The administration API of a gateway. */
export function createAdminClient(baseUrl: string, adminToken: string): Client<typeof AdminService> {
  const bearer: Interceptor = (next) => (request) => {
    request.header.set('authorization', `Bearer ${adminToken}`);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: `${baseUrl}/admin/rpc`,
    httpVersion: '1.1',
    useBinaryFormat: false,
    interceptors: [bearer],
  });
  return createClient(AdminService, transport);
}
