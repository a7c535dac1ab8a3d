export { ar } from './ar.ts';
export { de } from './de.ts';
export { en } from './en.ts';
export { es } from './es.ts';
export { fr } from './fr.ts';
export { ja } from './ja.ts';
export type { Counted, Texts } from './texts.ts';
