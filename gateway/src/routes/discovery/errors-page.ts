import { problems } from '@parley/domain/problems';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A page with a section for each error; the section's id is the error's, so that `url` of an error points at it. */
export function errorsPage(): string {
  const sections = Object.entries(problems).map(
    ([id, { code, httpStatus, message }]) =>
      `<section id="${id}"><h2>${id}</h2><p>${escapeHtml(message)}</p>` +
      `<dl><dt>Code</dt><dd>${code}</dd><dt>HTTP status</dt><dd>${httpStatus}</dd></dl></section>`,
  );
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Errors</title>' +
    '<meta name="viewport" content="width=device-width"><style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}' +
    'section{border-top:1px solid #ccc}:target{background:#ffd}dt{float:left;width:8rem}</style></head>' +
    '<body><h1>Errors</h1><p>Every error is a JSON object with <code>id</code>, <code>code</code>, <code>message</code>, ' +
    `<code>url</code> and <code>data</code>.</p>${sections.join('')}</body></html>`
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
