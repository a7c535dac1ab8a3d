// Builds every package of the client library into its dist folder.
import { buildLibrary, LIBRARIES } from './build.ts';

for (const name of LIBRARIES) await buildLibrary(name);
