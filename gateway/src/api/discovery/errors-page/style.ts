import { createHash } from 'node:crypto';

/** Readable on a phone, in the light and in the dark. */
const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}',
  'main{max-width:46rem;margin:0 auto;padding:1rem}',
  'section{border-top:1px solid #8888;padding:.25rem 0 .75rem}',
  'section:target{border-top:3px solid #d97706}',
  'h2,h3,h4{line-height:1.25;margin:1rem 0 .25rem}',
  'p{margin:.25rem 0 .75rem}',
  'code,pre{font-family:ui-monospace,monospace;font-size:.875em}',
  'pre{padding:.75rem;border:1px solid #8888;border-radius:.375rem;white-space:pre-wrap}',
  'nav ul{columns:16rem;padding-left:1.25rem}',
].join('\n');

export const STYLE_ELEMENT = `<style>${STYLE}</style>`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** The Content-Security-Policy of a page with this style: it loads and runs nothing. */
export const STYLE_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
