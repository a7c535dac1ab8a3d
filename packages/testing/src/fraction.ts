import fc from 'fast-check';

const STEPS = 1_000_000;

/** A number from 0 to 1, anywhere between them: nearly all numbers of `fc.double` are next to 0, since it draws the exponent too. */
export const fraction = fc.integer({ min: 0, max: STEPS }).map((step) => step / STEPS);
