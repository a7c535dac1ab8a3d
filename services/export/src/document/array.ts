/** Small enough for what is made of it to be gone before it is moved to where garbage is seldom collected. */
const PIECE = 32 * 1024;

/** The items of arrays that come in portions, as the inside of one JSON array. */
export async function* arrayItems(portions: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let begun = false;
  let text = '';
  for await (const items of portions) {
    for (const item of items) {
      text += begun ? ',\n' : '\n';
      text += JSON.stringify(item);
      begun = true;
      if (text.length < PIECE) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}

/** The bytes of a text that comes in pieces. */
export async function* utf8(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}
