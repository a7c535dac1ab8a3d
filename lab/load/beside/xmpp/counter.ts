/**
 * Counts a text in a stream of pieces, also where it begins in one piece and ends in another. No end of the text may be its
 * beginning, too.
 */
export function createCounter(needle: string): (piece: string) => number {
  const overlap = needle.length - 1;
  let tail = '';
  return (piece) => {
    const seam = tail + piece.slice(0, overlap);
    const known = piece.length < overlap ? tail + piece : piece;
    tail = known.slice(Math.max(0, known.length - overlap));
    return occurrences(seam, needle) + occurrences(piece, needle);
  };
}

function occurrences(text: string, needle: string): number {
  let count = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) count += 1;
  return count;
}
