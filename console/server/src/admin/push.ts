import { createClient, type ConnectRouter, type Transport } from '@connectrpc/connect';
import { AdminService } from '@parley/proto/parley/identity/v1/admin_service_pb';
import { PushAdminService } from '@parley/proto/parley/push/v1/push_admin_service_pb';

type Options = { identity: Transport; push: Transport };

/** Forwards the methods about pushes to the push service, for an application that identity knows. Problems: not_found. */
export function pushRoutes({ identity, push }: Options): (router: ConnectRouter) => void {
  const apps = createClient(AdminService, identity);
  const pushes = createClient(PushAdminService, push);
  async function withAppId<Request extends { appUuid: string }>(request: Request): Promise<Request> {
    const { app } = await apps.getApp({ appUuid: request.appUuid });
    return { ...request, appUuid: app?.appUuid ?? '' };
  }
  return (router) =>
    void router.service(PushAdminService, {
      setPushCredentials: async (request) => pushes.setPushCredentials(await withAppId(request)),
      getPushCredentials: async (request) => pushes.getPushCredentials(await withAppId(request)),
      deletePushCredentials: async (request) => pushes.deletePushCredentials(await withAppId(request)),
      setPushSettings: async (request) => pushes.setPushSettings(await withAppId(request)),
      getPushSettings: async (request) => pushes.getPushSettings(await withAppId(request)),
      sendTestPush: async (request) => pushes.sendTestPush(await withAppId(request)),
    });
}
