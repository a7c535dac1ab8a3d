import path from 'node:path';
import { routeOf, servedAt } from './routes.ts';

/** A fenced block, inline code, or a link `[label](target)`; the code and the label may go over several lines. */
const PIECE = /^```.*?^```$|`(?:[^`\n]|\n(?!\n))+`|(!?)\[((?:[^\]`]|`[^`]*`)*)\]\(([^)\s]+)\)/gms;

/**
 * A document with links as the site needs them. `file` is its path in the repository. A link to a page leads to that page, a link
 * to a file that the site does not have is plain text.
 */
export function withSiteLinks(text: string, file: string): string {
  return text.replaceAll(
    PIECE,
    (whole, mark: string | undefined, label: string, target: string | undefined) =>
      target === undefined ? whole : linkFrom(file, { label, target, isImage: mark === '!' }),
  );
}

type Link = { label: string; target: string; isImage: boolean };

function linkFrom(file: string, { label, target, isImage }: Link): string {
  if (isImage) return `![${label}](/images/${path.posix.basename(target)})`;
  if (/^[a-z]+:/.test(target)) return `[${label}](${target})`;
  const [to = '', anchor] = target.split('#');
  const linked = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
  const served = servedAt(linked);
  if (served !== undefined) return `<a href="${served}" target="_blank">${label}</a>`;
  const route = routeOf(linked);
  if (route === undefined) return label;
  const address = `/${route}${route === '' ? '' : '/'}`;
  return `[${label}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
}
