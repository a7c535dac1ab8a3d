import style from './style.css';

/** One for all trees of elements. */
let sheet: CSSStyleSheet | undefined;

/**
 * Gives the styles of the components to a page, or to a part of it with a tree of its own. A strict Content Security Policy allows
 * it, as it stands in no markup.
 *
 * @param tree The page, or a shadow root.
 * @example showStyles(document);
 */
export function showStyles(tree: DocumentOrShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(HOST + style);
  }
  if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets.push(sheet);
}

const HOST = ':host { display: block; height: 600px; overflow: hidden } :host([hidden]) { display: none }';
