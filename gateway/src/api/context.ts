import type { Document } from '@parley/http/answers/document';
import type { Admission } from '../admission/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { Process } from '../upstream/process.ts';
import type { ApiConfig } from './settings.ts';

/** The page about errors of the built documentation; undefined as long as there is none. */
export type ErrorsPage = () => Promise<{ document: Document; headers: Record<string, string> } | undefined>;

/** The parts that handlers of requests work with; each handler names the members that it uses. */
export type ApiContext = Process & Upstream & Admission & { config: ApiConfig; errorsPage: ErrorsPage };

/** Some members of the context. */
export type Uses<Name extends keyof ApiContext> = Pick<ApiContext, Name>;
