// Runs in a page that is inspected: names the styles of its texts, and finds an element of each.
/* global document, Node */
const elements = new Map();

/** Tags, classes and own styles of an element and of all that it stands in: the same rules of the style sheet apply to two with the same. */
function styleOf(element, known) {
  const found = known.get(element);
  if (found !== undefined) return found;
  const outer = element.parentElement ? styleOf(element.parentElement, known) : '';
  const style = `${outer}>${element.tagName}.${classesOf(element)}[${element.getAttribute('style') ?? ''}]`;
  known.set(element, style);
  return style;
}

/** The classes without the one that VitePress names after the page, such as `_docs_limits_`, for which the style sheet has no rules. */
function classesOf(element) {
  return [...element.classList].filter((name) => !name.startsWith('_docs')).join(' ');
}

function hasText({ childNodes }) {
  return [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
}

globalThis.textStyles = {
  /** The styles of all elements with text, each once. */
  list() {
    const known = new Map();
    for (const element of document.body.querySelectorAll('*'))
      if (hasText(element) && !elements.has(styleOf(element, known)))
        elements.set(styleOf(element, known), element);
    return [...elements.keys()];
  },
  /** An element of each style. */
  elementsOf: (styles) => styles.map((style) => elements.get(style)),
};
