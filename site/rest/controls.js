/** Controls that Scalar leaves without a name for those who cannot see them. */
const NAMES = { '[role=combobox]': 'Value', '.scalar-code-copy': 'Copy' };

/** Names controls below an element, now and whenever some appear. */
export function nameControls(place) {
  new MutationObserver(() => name(place)).observe(place, { childList: true, subtree: true });
  name(place);
}

function name(place) {
  for (const [selector, text] of Object.entries(NAMES)) {
    for (const control of place.querySelectorAll(`${selector}:not([aria-label])`))
      control.setAttribute('aria-label', text);
  }
  for (const field of place.querySelectorAll('[role=combobox]:not([aria-expanded])'))
    field.setAttribute('aria-expanded', 'false');
}
