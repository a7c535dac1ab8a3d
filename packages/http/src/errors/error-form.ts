import type { ConnectError } from '@connectrpc/connect';
import {
  errorOf,
  problem,
  retryHeaders,
  toHttp,
  type ErrorDocs,
  type HttpProblem,
} from '@parley/domain/problems';

/** A failure for clients, its body as JSON, and the headers that say when to try again. */
export type ErrorForm = HttpProblem & {
  json: string;
  headers: Readonly<Record<string, string>> | undefined;
};

const constants = new WeakSet<object>();
const forms = new WeakMap<ErrorDocs, WeakMap<object, ErrorForm>>();

/** An error for a refusal that happens often; its JSON is built once. Callers must not change it. */
export function constantError(...given: Parameters<typeof problem>): ConnectError {
  const error = errorOf(problem(...given));
  constants.add(error);
  return error;
}

export function isConstant(error: unknown): error is object {
  return typeof error === 'object' && error !== null && constants.has(error);
}

/** The form of an error, by `toHttp`; that of a constant one is kept. */
export function errorForm(error: unknown, docs: ErrorDocs): ErrorForm {
  if (!isConstant(error)) return makeForm(error, docs);
  let known = forms.get(docs);
  if (!known) forms.set(docs, (known = new WeakMap()));
  let form = known.get(error);
  if (!form) known.set(error, (form = makeForm(error, docs)));
  return form;
}

function makeForm(error: unknown, docs: ErrorDocs): ErrorForm {
  const shown = toHttp(error, docs);
  return { ...shown, json: JSON.stringify(shown.body), headers: retryHeaders(shown) };
}
