import { createHash } from 'node:crypto';
import type { Response } from 'express';

/** A page that is shown while what it stands for is being built. */
export type WaitingPage = {
  title: string;
  heading: string;
  /** HTML. */
  text: string;
};

/** Seconds until the page loads itself again. */
const WAIT_SECONDS = 3;

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:40rem;margin:0 auto;padding:15vh 1rem}',
].join('\n');
const HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Answers with status 503 and the page, which loads itself again. */
export function answerWaiting(res: Response, page: WaitingPage): void {
  res
    .status(503)
    .set({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      'retry-after': String(WAIT_SECONDS),
    })
    .send(htmlOf(page));
}

function htmlOf({ title, heading, text }: WaitingPage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="${WAIT_SECONDS}" />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${heading}</h1>
      <p>${text}</p>
    </main>
  </body>
</html>
`;
}
