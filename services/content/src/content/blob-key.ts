/** The key of a content's blob in the store. */
export function blobKey({ appId, id }: { appId: string; id: string }): string {
  return `content/${appId}/${id}`;
}
