import { createHash } from 'node:crypto';

const STYLE = [
  ':root{color-scheme:light dark}',
  'body{margin:0;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:40rem;margin:0 auto;padding:15vh 1rem}',
].join('\n');

const HASH = createHash('sha256').update(STYLE).digest('base64');

/** Seconds until a page that waits loads itself again. */
export const WAIT_SECONDS = 3;

export const WAITING_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Documentation</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="${WAIT_SECONDS}" />
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>The documentation is being built</h1>
      <p>
        The platform runs already; the first build of its documentation takes a minute or two. This page loads again by itself.
        If it stays, <code>.parley/local/logs/site.log</code> says why. The same documents are in the folder <code>docs</code> of
        the repository, and <a href="/docs/errors">what errors mean</a> is here at once.
      </p>
    </main>
  </body>
</html>
`;

export const WAITING_POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
