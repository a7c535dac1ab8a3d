/** A place in a text; both numbers start at 1. Columns count UTF-16 code units, as editors and JavaScript do. */
export type TextPlace = { line: number; column: number };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The place of an index in a text whose lines end with a line feed, a carriage return, or both. Linear in the index. */
export function placeIn(text: string, index: number): TextPlace {
  let line = 1;
  let start = 0;
  for (let at = 0; at < index; at += 1) {
    const code = text.charCodeAt(at);
    const isEnd = code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED);
    if (!isEnd) continue;
    line += 1;
    start = at + 1;
  }
  return { line, column: index - start + 1 };
}
