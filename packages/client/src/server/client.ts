import { withoutSlashesAtEnd } from '../base-url.ts';
import { serverOperations, userOperations } from '../../gen/server-operations.ts';
import { createSend } from './send.ts';

/** How to reach the platform as a server. */
export type ServerClientOptions = {
  /** Address of the platform, such as `https://chat.example.org`. */
  url: string;
  /** The application: its URI `svc:///apps/<uuid>` or the bare UUID. */
  appId: string;
  /** An access token of the application, as `parley admin create-access-token` prints it. */
  accessToken: string;
  /** How many times a request is repeated that failed for a transient reason; by default 4, which takes up to 8 s. */
  retries?: number;
  /** How long one try may take, in milliseconds; by default 30,000. */
  timeoutMs?: number;
  /** The name that the deployment has on the wire, if the operator chose another than `svc`. */
  wireName?: string;
  /** Another implementation of `fetch`, for example with a proxy. */
  fetch?: typeof fetch;
};

/** Everything that a server may do with a user's rights. */
export interface UserOperations extends ReturnType<typeof userOperations> {}

/** Everything that a server may do. */
export interface ServerClient extends ReturnType<typeof serverOperations> {
  /**
   * The operations of the client API in the name of a user, without a session.
   *
   * @param userId The user id, or the URI of the identity.
   * @returns The operations. They are made at once; nothing is sent for it.
   * @example
   * await server.as('ada').sendMessage(conversation.id, { parts: [{ mime_type: 'text/plain', body: 'Hello' }] });
   */
  as(userId: string): UserOperations;
}

/**
 * A client for backends. Each method sends one request with the access token, repeats it when it fails for a transient reason, and
 * resolves with the body of the answer.
 *
 * Every method throws a {@link ParleyError}. Any request may fail with `authentication_required` (the token is not valid),
 * `access_denied` (it belongs to another application), `app_suspended`, `invalid_request`, `request_entity_too_large`, and, once the
 * retries are used up, with `rate_limit_exceeded`, `request_timeout`, `internal_server_error`, `service_unavailable` and `network_error`.
 * Further errors are named at each method.
 *
 * @param options Where the platform is, and as which application to call it.
 * @returns The client. It holds no connection and needs no closing.
 * @example
 * const server = createServerClient({ url: 'https://chat.example.org', appId, accessToken });
 * const conversation = await server.createConversation({ participants: ['ada', 'grace'] });
 * await server.sendMessage(conversation.id, {
 *   sender_id: 'ada',
 *   parts: [{ mime_type: 'text/plain', body: 'Hello, Grace!' }],
 * });
 */
export function createServerClient(options: ServerClientOptions): ServerClient {
  const { url, appId, accessToken, retries = 4, timeoutMs = 30_000, wireName = 'svc' } = options;
  const send = createSend({
    url: withoutSlashesAtEnd(url),
    appUuid: appId.slice(appId.lastIndexOf('/') + 1),
    accessToken,
    wireName,
    retries,
    timeoutMs,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  });
  return { ...serverOperations(send), as: (userId) => userOperations(send, userId) };
}
