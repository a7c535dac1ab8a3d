import { curlSample } from './curl.ts';
import type { SampleRequest } from './sample-request.ts';
import { typescriptSample } from './typescript.ts';

/** A sample as readers of a document know it: `x-codeSamples` of an operation. */
export type CodeSample = { lang: string; label: string; source: string };

/** The samples of a request, which run as they stand once their variables are set. */
export function codeSamples(request: SampleRequest): { 'x-codeSamples': CodeSample[] } {
  return {
    'x-codeSamples': [
      { lang: 'shell', label: 'curl', source: curlSample(request) },
      { lang: 'typescript', label: 'TypeScript', source: typescriptSample(request) },
    ],
  };
}
