/** Where a content's bytes are in the store. */
export function blobKey({ appId, id }: { appId: string; id: string }): string {
  return `content/${appId}/${id}`;
}
