import { errorDocs, reasonDocs, type ErrorDoc, type ReasonDoc } from '@parley/contract/error-docs';
import { errors, type ErrorId } from '@parley/contract/errors';
import { REASONS, type Reason } from '@parley/contract/token-reasons';
import { withWireName } from '@parley/contract/openapi/names';
import type { Wire } from '@parley/domain/wire';
import { exampleAnswer, exampleRequest, senderOf } from './errors-page/example.ts';
import { escapeHtml, html, type Html } from './errors-page/html.ts';
import { STYLE_ELEMENT } from './errors-page/style.ts';

/**
 * A self-contained page with a section for each error and each reason for refusing an identity token. Section ids are the ids of errors and
 * reasons, so that an error's `url` leads to its section.
 */
export function errorsPage(wire: Wire, docsUrl: string): string {
  const docs = withWireName({ errorDocs, reasonDocs }, wire);
  const ids = Object.keys(errors) as ErrorId[];
  const reasons = Object.keys(REASONS) as Reason[];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Errors</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${{ html: STYLE_ELEMENT }}
      </head>
      <body>
        <main>
          <h1>Errors</h1>
          ${introduction(ids, reasons)} ${ids.map((id) => errorSection(id, docs.errorDocs[id], docsUrl))}
          <h2 id="identity-tokens">Identity tokens</h2>
          <p>
            A login whose identity token is refused is answered with 422
            <a href="#invalid_property"><code>invalid_property</code></a
            >. <code>data.property</code> is <code>identity_token</code>, and <code>data.reason</code> is one
            of the following. The examples show the decoded header or claims, with what matters for the reason
            alone.
          </p>
          ${reasons.map((reason) => reasonSection(reason, docs.reasonDocs[reason]))}
        </main>
      </body>
    </html>`.html;
}

function introduction(ids: readonly string[], reasons: readonly string[]): Html {
  return html`<p>
      An error is a JSON object with <code>id</code>, <code>code</code>, <code>message</code>,
      <code>url</code> and <code>data</code>. Programs look at <code>id</code> and <code>data</code>; the
      message is for people and may change. <code>data</code> is null or an object with details. In a
      WebSocket response the error is the <code>data</code> of the response. The answer’s X-Request-Id finds
      the request in the platform’s log.
    </p>
    <p>The examples leave out Accept and Authorization where they do not matter.</p>
    <nav aria-label="Errors">${listOfLinks(ids)}</nav>
    <nav aria-label="Reasons for which identity tokens are refused">${listOfLinks(reasons)}</nav>`;
}

function listOfLinks(ids: readonly string[]): Html {
  return html`<ul>
    ${ids.map((id) => html`<li><a href="#${id}">${id}</a></li>`)}
  </ul>`;
}

function errorSection(id: ErrorId, { cause, example, remedy }: ErrorDoc, docsUrl: string): Html {
  const { code, httpStatus, message } = errors[id];
  return html`<section id="${id}">
    <h2>${id}</h2>
    <p>${message}</p>
    <p>HTTP status ${httpStatus}, code ${code}</p>
    <h3>Cause</h3>
    ${paragraph(cause)}
    <h3>Example</h3>
    <p>Sent ${senderOf(example)}. ${example.given ?? ''}</p>
    <pre>${exampleRequest(example)}</pre>
    <pre>${exampleAnswer(id, example, docsUrl)}</pre>
    <h3>Remedy</h3>
    ${paragraph(remedy)}
  </section>`;
}

function reasonSection(reason: Reason, { cause, example, remedy }: ReasonDoc): Html {
  return html`<section id="${reason}">
    <h3>${reason}</h3>
    <p>${REASONS[reason]}</p>
    <h4>Cause</h4>
    ${paragraph(cause)}
    <h4>Example</h4>
    <pre>${example}</pre>
    <pre>${JSON.stringify({ property: 'identity_token', reason }, null, 2)}</pre>
    <h4>Remedy</h4>
    ${paragraph(remedy)}
  </section>`;
}

/** Text between back quotes is code. */
function paragraph(text: string): Html {
  const shown = escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
  return html`<p>${{ html: shown }}</p>`;
}
