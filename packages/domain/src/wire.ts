/** Kinds of records that a URI names. */
export type UriKind =
  | 'access_tokens'
  | 'announcements'
  | 'apps'
  | 'content'
  | 'conversations'
  | 'deliveries'
  | 'exports'
  | 'identities'
  | 'keys'
  | 'messages'
  | 'providers';

/** All names on the wire that contain the deployment's wire name. docs/protocol/requests.md#the-wire-name */
export type Wire = {
  /** The wire name itself, lower case. */
  readonly name: string;
  /** Scheme of the Authorization header: `Svc session-token="…"`. */
  readonly authScheme: string;
  readonly countHeader: string;
  readonly clientVersionHeader: string;
  readonly mediaType: string;
  readonly patchMediaType: string;
  readonly webhooksMediaType: string;
  readonly webhooksUserAgent: string;
  /** Version of the APIs. */
  readonly version: string;
  /** Subprotocol of WebSockets. */
  readonly subprotocol: string;
  /** Subprotocol of WebSockets that also get additions of later versions: `hello`, `error`, and the reason of a refusal. */
  readonly extendedSubprotocol: string;
  /** Subprotocol of WebSockets that get all of these as lean packets. docs/protocol/lean-packets.md */
  readonly leanSubprotocol: string;
  /** Prefix of a session token that a client offers as a subprotocol. */
  readonly tokenSubprotocolPrefix: string;
  /** `cty` of an identity token. */
  readonly tokenContentType: string;
  webhookHeader(suffix: string): string;
  /** `id` is not escaped. */
  uri(kind: UriKind, id: string): string;
};

const VERSION = '3.0';
const EXTENDED_VERSION = '3.1';
const LEAN_VERSION = '4.0';

/** Fails with a RangeError for a name that is invalid in a URI scheme or in a header name. */
export function createWire(name = 'svc'): Wire {
  if (!/^[a-z][a-z0-9]{0,31}$/.test(name)) {
    throw new RangeError('the wire name must be a lower-case word of at most 32 letters and digits');
  }
  const capitalised = name.charAt(0).toUpperCase() + name.slice(1);
  const root = `${name}:///`;
  return {
    name,
    authScheme: capitalised,
    countHeader: `${capitalised}-Count`,
    clientVersionHeader: `${name}-xdk-version`,
    mediaType: `application/vnd.${name}+json`,
    patchMediaType: `application/vnd.${name}-patch+json`,
    webhooksMediaType: `application/vnd.${name}.webhooks+json`,
    webhooksUserAgent: `${name}-webhooks/${VERSION}`,
    version: VERSION,
    subprotocol: `${name}-${VERSION}`,
    extendedSubprotocol: `${name}-${EXTENDED_VERSION}`,
    leanSubprotocol: `${name}-${LEAN_VERSION}`,
    tokenSubprotocolPrefix: `${name}-token.`,
    tokenContentType: `${name}-eit;v=1`,
    webhookHeader: (suffix) => `${name}-webhook-${suffix}`,
    uri: (kind, id) => `${root}${kind}/${id}`,
  };
}
