/** The key of one run of an export. */
export type RunKey = { appId: string; id: string; runId: string };

/** The key of a run's archive in the store. Each run has a blob of its own: none completes the blob of another. */
export function blobKey({ appId, id, runId }: RunKey): string {
  return `exports/${appId}/${id}/${runId}`;
}
