import { readFileSync } from 'node:fs';
import path from 'node:path';

export const REPOSITORY = path.resolve(import.meta.dirname, '../..');

export function readText(file: string): string {
  return readFileSync(path.join(REPOSITORY, file), 'utf8');
}

/** The text below the heading `## title`, up to the next heading of that level; empty when there is none. */
export function sectionOf(page: string, title: string): string {
  const [, ...sections] = `\n${page}`.split(/\n## /);
  return sections.find((section) => section.split('\n', 1)[0] === title) ?? '';
}

/** The cells of the body rows of all tables in a text, without code marks around a cell. */
export function rowsOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rules = new Set(lines.flatMap((line, index) => (/^\|[ |:-]+$/.test(line) ? [index - 1, index] : [])));
  return lines.filter((_, index) => !rules.has(index)).map(cellsOf);
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => withoutMarks(cell.trim()));
}

/** The cells of the rows of a file with tabs between cells, without the line of titles, and without code marks around a cell. */
export function tableOf(file: string): string[][] {
  const lines = readText(file).replace(/\n+$/, '').split('\n').slice(1);
  return lines.map((line) => line.split('\t').map(withoutMarks));
}

function withoutMarks(cell: string): string {
  return cell.replace(/^`([^`]*)`$/, '$1');
}
