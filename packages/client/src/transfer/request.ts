/** Sends a request with the session; fails with a `ParleyError`. */
export type SendRequest = <T>(request: {
  readonly method: string;
  /** Below the platform's address, or a whole address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}) => Promise<{ readonly body: T }>;
