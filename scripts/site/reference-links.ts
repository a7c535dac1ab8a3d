import { slugify } from './slugify.ts';
import { referenceRoute } from './library-entries.ts';

/** Pages that TypeDoc wrote, by the entries' names. */
type Pages = { readonly name: string; readonly texts: ReadonlyMap<string, string> };

const FENCE = /^```.*?^```$/gms;
const HEADING = /^(#{1,6}) (.+)$/gm;
/** Anchors of rows, which nothing leads to. */
const ROW_ANCHOR = /<a id="[^"]*"><\/a> /g;
const LINK = /(\[[^\]]*\])\(([^)#\s]*\.md)?#([^)\s]*)\)/g;

/** Titles of the parts of a section, and of what has no name: no headings of the page. */
const LABEL =
  /^(?:#{4,5} (Parameters|Type Parameters|Returns|Throws|Examples?|Extends|Properties|Methods|Constructors?|Accessors|Type Declaration|Union Members|Type Literal|See)|#{6} (.+))$/gm;
/** The types of the operations of a server are made from two functions. */
const INHERITED = /^#{4,6} (?:Inherited from|Overrides)\n\n.*\n\n?/gm;

/** A page as TypeDoc wrote it, with headings for what has a name alone. */
export function withoutLabels(text: string): string {
  return text
    .replaceAll(INHERITED, '')
    .replaceAll(ROW_ANCHOR, '')
    .replaceAll(LABEL, (_, part?: string, member = '') => `**${part ?? member}**`)
    .replaceAll(/^#{5} /gm, '#### ');
}

/** A page with the links to records and functions as the site numbers its headings, of which several have the same text. */
export function withHeadingLinks(text: string, { name, texts }: Pages): string {
  const anchors = new Map([...texts].map(([entry, page]) => [entry, anchorsOf(page)]));
  return text.replaceAll(LINK, (_, label: string, file?: string) => {
    const entry = file === undefined ? name : entryOf(file, [...texts.keys()]);
    const anchor = anchors.get(entry)?.get(plain(label));
    const address = entry === name ? '' : `/${referenceRoute(entry)}/`;
    return `${label}(${address}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** The anchors of a page's sections of the third level, by their titles: each has a record, a class or a function. */
function anchorsOf(page: string): Map<string, string> {
  const taken = new Set<string>();
  const anchors = new Map<string, string>();
  for (const [, level = '', heading = ''] of page.replaceAll(FENCE, '').matchAll(HEADING)) {
    const slug = slugify(heading.replaceAll('\\', ''));
    let anchor = slug;
    for (let number = 1; taken.has(anchor); number++) anchor = `${slug}-${number}`;
    taken.add(anchor);
    const title = plain(heading);
    if (level === '###' && !anchors.has(title)) anchors.set(title, anchor);
  }
  return anchors;
}

/** The name without marks of Markdown and brackets: `[`createClient`]` and `createClient()` are `createClient`. */
function plain(text: string): string {
  return text.replaceAll(/[^\w.]/g, '');
}

function entryOf(file: string, entries: readonly string[]): string {
  const path = file.replace(/^(?:\.\.?\/)*/, '').replace(/\.md$/, '');
  const found = entries.find((entry) => entry.endsWith(`/${path}`) || entry === path);
  if (found === undefined) throw new Error(`the reference has no page ${file}`);
  return found;
}
