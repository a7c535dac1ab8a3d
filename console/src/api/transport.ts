import { createConnectTransport } from '@connectrpc/connect-web';

/** Calls of the administration API, with the cookie of the person who is signed in. */
export const TRANSPORT = createConnectTransport({ baseUrl: '/admin/rpc' });
