import fc, { type Arbitrary } from 'fast-check';
import { bentFor, bentJson, bentText, wrongValuesFor, type JsonText } from './values.ts';

const MARK = '\u0001bent\u0001';

/** JSON of a value of which one member, somewhere, may be replaced, removed or added. */
export function bend(template: unknown): Arbitrary<JsonText> {
  const whole = JSON.stringify(template);
  const place = fc.nat(countPlaces(template) - 1);
  const replaced = place.chain((at) =>
    bentFor(memberAt(template, at)).map((text) => withText(template, at, text)),
  );
  const removed = place.map((at) => JSON.stringify(withMember(template, at, undefined)) ?? 'null');
  const added = fc
    .tuple(bentText, bentJson)
    .map(([name, text]) => whole.replace(/^\{/, () => `{${JSON.stringify(name)}:${text},`));
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(whole) },
    { weight: 8, arbitrary: replaced },
    { weight: 2, arbitrary: removed },
    { weight: 1, arbitrary: added },
  );
}

/** JSON of a value with each number and each text in it replaced by each value that may be wrong there. */
export function bendEach(template: unknown): JsonText[] {
  return Array.from({ length: countPlaces(template) }, (_, place) => place).flatMap((place) =>
    wrongValuesFor(memberAt(template, place)).map((text) => withText(template, place, text)),
  );
}

function withText(template: unknown, place: number, text: JsonText): JsonText {
  return JSON.stringify(withMember(template, place, MARK)).replace(JSON.stringify(MARK), () => text);
}

/** The member at one place; places are numbered from the root downwards. */
function memberAt(value: unknown, place: number): unknown {
  if (place === 0 || typeof value !== 'object' || value === null) return value;
  let first = 1;
  for (const member of Object.values(value) as unknown[]) {
    const count = countPlaces(member);
    if (place < first + count) return memberAt(member, place - first);
    first += count;
  }
  return undefined;
}

/** The value itself counts as one. */
function countPlaces(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + countPlaces(member), 1);
}

/** A copy with another value at one place. */
function withMember(value: unknown, place: number, member: unknown): unknown {
  if (place === 0) return member;
  if (typeof value !== 'object' || value === null) return value;
  let first = 1;
  const copied = Object.entries(value).map(([name, old]): [string, unknown] => {
    const at = place - first;
    const count = countPlaces(old);
    first += count;
    return [name, at >= 0 && at < count ? withMember(old, at, member) : old];
  });
  return Array.isArray(value) ? copied.map(([, one]) => one) : Object.fromEntries(copied);
}
