/** Documentation of an error. Everything is written with the wire name `svc`. */
export type ErrorDoc = {
  /** The situation in which the error is answered. */
  cause: string;
  example: ErrorExample;
  /** Advice for the caller. */
  remedy: string;
};

/** A request and the error that it is answered with. */
export type ErrorExample = {
  /** The sender: a user by user id, the application's server, or a client without a token. */
  caller: { user: string } | 'server' | 'anyone';
  /** A condition that has to hold before, as a full sentence. */
  given?: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with the query. */
  path: string;
  /** Besides Accept and Authorization. */
  headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  /** Default: that of the table. */
  message?: string;
  data: Readonly<Record<string, unknown>> | null;
};

/** Documentation of a reason for which an identity token is refused. */
export type ReasonDoc = {
  cause: string;
  /** A header, claims or a whole token that are refused for the reason, with those parts alone that matter. */
  example: string;
  remedy: string;
};
