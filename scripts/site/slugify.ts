/** The anchors that GitHub makes, so that links hold in both places. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
