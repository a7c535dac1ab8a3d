import { wireNameOf } from './wire-name.ts';
import { withoutSlashesAtEnd } from '../base-url.ts';
import { serverOperations, userOperations } from '../../gen/server-operations.ts';
import { ParleyError } from '../errors.ts';
import { createSend } from './send.ts';

/** Options for calling the platform as a server. */
export type ServerClientOptions = {
  /** Address of the platform, such as `https://chat.example.org`. */
  url: string;
  /** The application: its URI `svc:///apps/<environment>/<uuid>` or the bare UUID. */
  appId: string;
  /** An access token of the application, as `parley admin create-access-token` prints it. */
  accessToken: string;
  /** Number of repeats after transient failures; by default 4, which take up to 8 s. */
  retries?: number;
  /** Time limit of one attempt, in milliseconds; by default 30,000. */
  timeoutMs?: number;
  /** The deployment's wire name. By default the scheme of `appId`, if that is a URI, or `svc`. */
  wireName?: string;
  /** Another implementation of `fetch`, for example with a proxy. */
  fetch?: typeof fetch;
};

/** All operations that a server may perform on behalf of a user. */
export interface UserOperations extends ReturnType<typeof userOperations> {}

/** All operations that a server may perform. */
export interface ServerClient extends ReturnType<typeof serverOperations> {
  /**
   * The operations of the client API in the name of a user, without a session.
   *
   * @param userId The user id, or the URI of the identity.
   * @returns The operations. They are made at once; nothing is sent for it. Each fails with `invalid_id` if the user id is `.` or `..`.
   * @example
   * await server.as('ada').sendMessage(conversation.id, { parts: [{ mime_type: 'text/plain', body: 'Hello' }] });
   */
  as(userId: string): UserOperations;
}

/**
 * A client for backends. Each method sends one request with the access token, repeats it when it fails for a transient reason, and
 * resolves with the body of the answer.
 *
 * Every method throws a {@link ParleyError}. One that takes ids takes what the API shows as `id`, a URI of this deployment and of the
 * right kind, or the bare id, and fails with `invalid_id` for anything else. Any request may fail with `authentication_required` (the token is not valid),
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
  const { url, appId, accessToken, retries = 4, timeoutMs = 30_000, wireName = wireNameOf(appId) } = options;
  const send = createSend({
    url: withoutSlashesAtEnd(url),
    appUuid: appUuidOf(appId, wireName),
    accessToken,
    wireName,
    retries,
    timeoutMs,
    fetch: options.fetch ?? ((...args) => fetch(...args)),
  });
  return { ...serverOperations(send), as: (userId) => userOperations(send, userId) };
}

/** Throws `invalid_id` for the URI of another kind of object, or of another deployment. */
function appUuidOf(appId: string, wireName: string): string {
  const [, scheme, rest = ''] = /^([^/]*):\/\/\/(.*)$/s.exec(appId) ?? [];
  if (scheme === undefined) return appId;
  const [, uuid] = /^apps\/(?:[^/]+\/)?([^/]+)$/.exec(rest) ?? [];
  if (uuid !== undefined && scheme === wireName) return uuid;
  throw new ParleyError({ id: 'invalid_id', message: `"${appId}" is no application of this deployment.` });
}
