/**
 * For the backends of applications: every operation of servers, identity tokens, webhooks and exports. How to use it is described in
 * [the guide](/guides/backend-library/).
 *
 * @module @parley/client/server
 */

export { ParleyError } from '../errors.ts';
export {
  createServerClient,
  type ServerClient,
  type ServerClientOptions,
  type UserOperations,
} from './client.ts';
export { openExport, readExport, type OpenExportInput } from './export.ts';
export { importPrivateKey, signIdentityToken, type IdentityTokenInput } from './identity-token.ts';
export { listAll } from './pages.ts';
export type { RequestOptions } from './send.ts';
export { uuid7 as newId } from '../uuid.ts';
export {
  verifyWebhook,
  webhookChallenge,
  type VerifiedWebhook,
  type WebhookNotice,
  type WebhookRequest,
} from './webhook.ts';
export type * from '../../gen/server-records.ts';
