import { TextChunks } from './text-chunks.ts';

/** Renders the items of several portions as the inside of one JSON array. */
export async function* jsonArrayItems(portions: AsyncIterable<Iterable<object>>): AsyncGenerator<Buffer> {
  const chunks = new TextChunks();
  let separator = '\n';
  for await (const items of portions) {
    for (const item of items) {
      const full = chunks.add(separator, JSON.stringify(item));
      separator = ',\n';
      if (full) yield full;
    }
  }
  yield chunks.take();
}
