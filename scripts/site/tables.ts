/** A paragraph that is a link to data with tabs, alone. */
const TABLE = /^\[[^\]\n]+\]\(([\w./-]+\.tsv)\)$/gm;

/** A document with the data that a paragraph links to as a table in its place. `read` gives the text of a file by its path from the document. */
export function withTables(text: string, read: (file: string) => string): string {
  return text.replaceAll(TABLE, (_, file: string) => tableFrom(read(file)));
}

function tableFrom(data: string): string {
  const [titles = '', ...lines] = data.replace(/\n+$/, '').split('\n');
  const rule = titles.replaceAll(/[^\t]+/g, '---');
  return [titles, rule, ...lines].map(rowFrom).join('\n');
}

function rowFrom(line: string): string {
  return `| ${line.replaceAll('|', '\\|').split('\t').join(' | ')} |`;
}
