import type { Schema } from './resolve.ts';
import type { Direction } from './schema.ts';

const LEAST = ['minLength', 'minimum', 'minItems', 'minProperties'] as const;
const MOST = ['maxLength', 'maximum', 'maxItems', 'maxProperties'] as const;
const FORMS = ['pattern', 'format'] as const;

/** A request may not be limited more than before. An answer keeps the form that it had. */
export function compareLimits(
  direction: Direction,
  { before, after, path }: { before: Schema; after: Schema; path: string },
): string[] {
  if (direction === 'output') {
    return FORMS.filter((form) => before[form] !== undefined && after[form] !== before[form]).map(
      (form) => `${path}: ${form} is another`,
    );
  }
  return [
    ...LEAST.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
    ...MOST.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
    ...FORMS.filter((form) => after[form] !== undefined && after[form] !== before[form]),
  ].map((name) => `${path}: ${name} is narrower`);
}
