import type { Document } from '@parley/http/answers/document';
import type { Admission } from '../admission/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { Process } from '../upstream/process.ts';
import type { ApiConfig } from './settings.ts';

/** The errors page of the built documentation; undefined while there is none. */
export type ErrorsPage = () => Promise<{ document: Document; headers: Record<string, string> } | undefined>;

/** Everything that request handlers use; each handler names the members it needs. */
export type ApiContext = Process & Upstream & Admission & { config: ApiConfig; errorsPage: ErrorsPage };

/** Some members of the context. */
export type Uses<Name extends keyof ApiContext> = Pick<ApiContext, Name>;
