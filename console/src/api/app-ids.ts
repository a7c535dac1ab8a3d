/** An application: its bare UUID, and its URI, whose scheme is the wire name of the deployment. */
export type AppIds = { appUuid: string; id: string };

export function wireNameOf({ id }: AppIds): string {
  return id.split(':', 1)[0] ?? 'svc';
}

/** The last name in the URI of an object, such as the UUID of a conversation. A bare id stays. */
export function uuidOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}
