/** What this server answers. An object is sent as JSON. */
export type Answer = {
  readonly status: number;
  readonly body: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/** There is nothing to say but that it is done. */
export const DONE: Answer = { status: 204, body: undefined };

/** `allowed`: the methods that the path takes. */
export function refuseMethod(allowed: string): Answer {
  return { ...refuse(405, `only ${allowed} is allowed`), headers: { allow: allowed } };
}

export function refuse(status: number, message: string): Answer {
  return { status, body: { message } };
}
