import * as languages from '../texts/index.ts';
import { en } from '../texts/en.ts';
import type { Texts } from '../texts/texts.ts';

/** Texts in the language of an element: that of its `lang`, else of the nearest one around it, else of the browser. */
export function languageOf(element: Element): Texts {
  const named = element.closest('[lang]')?.getAttribute('lang') || navigator.language;
  const [code] = named.toLowerCase().split('-');
  return Object.values(languages).find(({ language }) => language === code) ?? en;
}
