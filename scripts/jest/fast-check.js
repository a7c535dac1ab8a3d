// What tests import as fast-check: a run tries the same cases as the one before it, so that what fails is what changed.
// PARLEY_TEST_SEED=<number> tries others.
import fc from '../../node_modules/fast-check/lib/fast-check.js';

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fc;

fc.configureGlobal({ seed: Number(process.env.PARLEY_TEST_SEED ?? 20_261_121) });
