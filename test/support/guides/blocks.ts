/** A fenced code block of a Markdown document: ```` ```<language> <key>=<value> … ````. */
export type Block = {
  language: string;
  /** `file`: the block is saved under this name. `needs`: what the machine must have to run it. */
  options: Readonly<Record<string, string>>;
  code: string;
  /** Number of its first line of code, from 1. */
  line: number;
};

const FENCE = /^```(\w+)([^\n]*)\n(.*?)^```$/gms;

export function codeBlocks(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language = '', info = '', code = ''], index, all) => ({
    language: language,
    options: Object.fromEntries([...info.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, value])),
    code: code,
    line: markdown.slice(0, all[index]?.index).split('\n').length + 1,
  }));
}
