/** Text that is HTML already. */
export type Html = { html: string };

type Value = string | number | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML with values in it; texts are escaped. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return { html: texts.reduce((before, text, index) => before + render(values[index - 1] ?? '') + text) };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

function render(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('html' in value) return value.html;
  return value.map((one) => one.html).join('\n');
}
