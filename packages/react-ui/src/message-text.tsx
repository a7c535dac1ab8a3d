import { lexer, type MarkedToken, type Token } from 'marked';
import { Fragment, memo, type ReactElement, type ReactNode } from 'react';

/** Properties of a text. */
export type MessageTextProps = { readonly text: string };

/** Longer texts are shown as they are. */
const LONGEST_MARKDOWN = 20_000;
/** Deeper quotations and lists are shown as they are. */
const DEEPEST = 6;
const LARGE_EMOJI = 3;

/**
 * Shows a text with line breaks, links, code and a part of Markdown. It makes elements of the parsed text and never HTML, so what
 * looks like HTML is shown as it was written; images are links, so that nothing is loaded from other hosts.
 *
 * @param props The text.
 * @returns The element.
 * @example <MessageText text="**Hello**, see https://example.com" />
 */
export const MessageText = memo(function MessageText({ text }: MessageTextProps): ReactElement {
  return (
    <div className="parley-text" data-emoji={isFewEmoji(text) || undefined} dir="auto">
      {renderAll(parse(text), 0)}
    </div>
  );
});

function parse(text: string): readonly Token[] {
  const plain: Token[] = [{ type: 'text', raw: text, text }];
  if (text.length > LONGEST_MARKDOWN) return plain;
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    // Nested so deeply that the parser gives up.
    return plain;
  }
}

function renderAll(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => (
    <Fragment key={index}>{render(token as MarkedToken, depth + 1)}</Fragment>
  ));
}

function render(token: MarkedToken, depth: number): ReactNode {
  if (depth > DEEPEST * 2) return token.raw;
  switch (token.type) {
    case 'paragraph':
      return <p dir="auto">{renderAll(token.tokens, depth)}</p>;
    case 'heading':
      return (
        <p dir="auto">
          <strong>{renderAll(token.tokens, depth)}</strong>
        </p>
      );
    case 'strong':
      return <strong>{renderAll(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens, depth)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens, depth)}</del>;
    case 'codespan':
      return <code dir="ltr">{token.text}</code>;
    case 'code':
      return (
        <pre dir="ltr" tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{renderAll(token.tokens, depth)}</blockquote>;
    case 'list':
      return renderList(token, depth);
    case 'link':
      return <Link href={token.href}>{renderAll(token.tokens, depth)}</Link>;
    case 'image':
      return <Link href={token.href}>{token.text || token.href}</Link>;
    default:
      return renderPlain(token, depth);
  }
}

/** Line breaks, texts, and everything that is shown as it was written, such as HTML and tables. */
function renderPlain(token: MarkedToken, depth: number): ReactNode {
  switch (token.type) {
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'space':
      return null;
    case 'escape':
      return token.text;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
      return token.tokens ? renderAll(token.tokens, depth) : token.text;
    default:
      return token.raw;
  }
}

function renderList(list: Extract<MarkedToken, { type: 'list' }>, depth: number): ReactNode {
  const items = list.items.map((item, index) => <li key={index}>{renderAll(item.tokens, depth)}</li>);
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={typeof list.start === 'number' ? list.start : 1}>
      {items}
    </ol>
  );
}

const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];

/** A link that leads elsewhere; a text where the address is one that a browser would run. */
function Link({ href, children }: { href: string; children: ReactNode }): ReactElement {
  const scheme = URL.canParse(href) ? new URL(href).protocol : '';
  if (!SCHEMES.includes(scheme)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {children}
    </a>
  );
}

/** Whether a text is one emoji, or a few of them, which are shown larger. */
function isFewEmoji(text: string): boolean {
  const longest = 40;
  if (text.length > longest) return false;
  const segments = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.trim())];
  const shown = segments.filter(({ segment }) => segment.trim() !== '');
  return (
    shown.length > 0 &&
    shown.length <= LARGE_EMOJI &&
    shown.every(({ segment }) => /\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment))
  );
}
