/** A block of code with `file=<name>` shows the name of its file. */
export function namedBlocks(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const block = fence(tokens, index, ...rest);
    const [, name] = /\bfile=(\S+)/.exec(tokens[index].info) ?? [];
    if (name === undefined) return block;
    return `<figure class="named-block"><figcaption>${md.utils.escapeHtml(name)}</figcaption>${block}</figure>\n`;
  };
}
